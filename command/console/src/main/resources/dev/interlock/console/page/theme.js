// Not a module, so that it runs before the page is painted: a page that is first light and then dark blinds at night.
// Empty means that the page follows the system.
(() => {
  const stored = localStorage.getItem('interlock-theme')
  if (stored === 'light' || stored === 'dark') {
    document.documentElement.dataset.theme = stored
  }
})()
