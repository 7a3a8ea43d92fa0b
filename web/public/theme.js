// Sets the colour theme before the first paint. The build inlines it into the pages; the content security policy allows it by
// hash. localStorage 'theme': 'light', 'dark', or absent for the system's theme.
(() => {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const chosen = () => {
    try {
      return localStorage.getItem('theme');
    } catch {
      return null; // Storage is blocked.
    }
  };
  const apply = () => {
    const theme = chosen();
    const dark = theme === 'dark' || (theme !== 'light' && system.matches);
    document.documentElement.classList.toggle('dark', dark);
  };
  apply();
  system.addEventListener('change', apply);
  addEventListener('storage', apply);
})();
