import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

// Every link of the site that stays on it leads to a file, and to an anchor that the file has. Javadoc checks its own.
const site = resolve(process.argv[2])
const base = process.env.SITE_BASE ?? '/'
const contents = new Map()
const read = file => contents.get(file) ?? contents.set(file, readFileSync(file, 'utf8')).get(file)

const pages = readdirSync(site, { recursive: true })
  .filter(name => name.endsWith('.html') && !name.startsWith('javadoc') && name !== '404.html')
const broken = []
for (const name of pages) {
  const page = join(site, name)
  for (const [, href] of read(page).matchAll(/<a [^>]*?href="([^"]*)"/g)) {
    if (/^[a-z]+:/.test(href)) continue
    const [path, anchor] = decodeURI(href).split('#')
    let file = path === '' ? page : path.startsWith(base) ? join(site, path.slice(base.length)) : resolve(dirname(page), path)
    if (existsSync(file) && statSync(file).isDirectory()) file = join(file, 'index.html')
    if (!existsSync(file)) {
      if (!file.startsWith(join(site, 'javadoc'))) broken.push(`${name}: ${href}`)
    } else if (anchor && file.endsWith('.html') && !read(file).includes(`id="${anchor}"`)) {
      broken.push(`${name}: ${href}`)
    }
  }
}
console.log(`${pages.length} pages, ${broken.length} broken links`)
broken.forEach(link => console.log(link))
process.exitCode = pages.length > 0 && broken.length === 0 ? 0 : 1
