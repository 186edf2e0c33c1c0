// Runs before the first paint, so that a dark page never flashes white. A file, not inline: it passes a strict CSP.
;(function () {
  var stored = null
  try {
    stored = localStorage.getItem('mantine-color-scheme-value')
  } catch (e) {}
  var dark = stored === 'dark' || (stored !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
  document.documentElement.setAttribute('data-running', '')
})()
