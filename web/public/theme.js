// Sets the colour theme before the first paint. Loaded as a file of its own because the
// content security policy forbids inline scripts. localStorage 'theme': 'light', 'dark', or absent for the system's.
(() => {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const chosen = () => {
    try {
      return localStorage.getItem('theme');
    } catch {
      return null; // Storage is blocked: the system's theme holds.
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
