import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { defineConfig } from 'vitepress'

const root = resolve(import.meta.dirname, '../../../..')
const pages = resolve(import.meta.dirname, '../pages')
const version = readFileSync(join(root, 'pom.xml'), 'utf8').match(/<version>([^<]+)<\/version>/)[1]

/** The files that pages link to and that are no pages themselves; they are copied. */
const files = new Set()

/** As GitHub makes an anchor of a heading: the pages are read there, too. */
const slug = text => text.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-')

/** A README is the index of its folder. A link to a folder of sources leads nowhere on a site: its text stays. */
function links(md) {
  md.core.ruler.push('links-of-the-repository', state => {
    const page = join(root, relative(pages, state.env.realPath ?? state.env.path))
    for (const block of state.tokens) {
      let unlinked = false
      for (const token of block.children ?? []) {
        if (token.type === 'link_close' && unlinked) {
          token.type = 'text'
          unlinked = false
        }
        if (token.type !== 'link_open') continue
        const [target, anchor] = token.attrGet('href').split('#')
        if (target === '' || /^[a-z]+:/.test(target)) continue
        const file = resolve(dirname(page), decodeURI(target))
        if (!existsSync(file)) throw new Error(`${page} links to ${target}, which is not there`)
        if (statSync(file).isDirectory() || /\.(java|sql|xml)$/.test(file)) {
          token.type = 'text'
          unlinked = true
        } else if (basename(file) === 'README.md') {
          token.attrSet('href', target.replace(/README\.md$/, 'index.md') + (anchor ? `#${anchor}` : ''))
        } else if (!file.endsWith('.md')) {
          files.add(relative(root, file))
          token.attrSet('target', '_self')
        }
      }
    }
  })
}

const page = (text, link) => ({ text, link })

/** The sections of the README that list the pages: a group for each entry of a list, or row of a table. */
function sidebar() {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const section = title => readme.split(`\n## ${title}\n`)[1].split('\n## ')[0]
  const entries = [
    ...section('Five paths').split('\n* ').slice(1).map(entry => entry.match(/^\*\*([^*]+)\*\*(.*)/s).slice(1)),
    ...[...section('Where to read on').matchAll(/^\| ([^|]+) \| (.*) \|$/gm)].map(row => row.slice(1))
  ]
  return entries.map(([title, text]) => ({
    text: title[0].toUpperCase() + title.slice(1),
    collapsed: true,
    items: [...text.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)].map(([, name, file]) =>
      page(name.replace(/\s+/g, ' '), '/' + file.replace(/README\.md/, 'index.md').replace('.md', '')))
  })).filter(group => group.items.length > 0)
}

export default defineConfig({
  title: 'Interlock',
  description: 'Locks of java.util.concurrent, across processes and machines',
  lang: 'en',
  base: process.env.SITE_BASE ?? '/',
  srcDir: pages,
  outDir: join(import.meta.dirname, '../site'),
  cacheDir: join(import.meta.dirname, '../cache'),
  rewrites: { 'README.md': 'index.md', ':folder(.*)/README.md': ':folder/index.md' },
  cleanUrls: false,
  lastUpdated: false,
  markdown: { anchor: { slugify: slug }, config: links },
  head: [['link', { rel: 'icon', href: 'data:,' }], ['style', {}, `
    .VPDoc .content-container { max-width: 880px !important } /* the 100 columns of the examples */
    :root { --vp-layout-max-width: 1640px; --vp-code-font-size: .82em }
    .vp-doc pre { overflow-x: auto }`]],
  vite: { publicDir: false },
  buildEnd(site) {
    for (const file of files) {
      const copy = join(site.outDir, file)
      mkdirSync(dirname(copy), { recursive: true })
      copyFileSync(join(root, file), copy)
    }
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      page('Guide', '/docs/guide'),
      page('Javadoc', '/javadoc/index.html'),
      page(version, '/CHANGELOG')
    ],
    sidebar: sidebar()
  }
})
