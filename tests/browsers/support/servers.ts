/** The server for one of the browsers: they change the same company, so each has its own, if there are two. */
export function serverOf(number: number): { url: string; dataDir: string } {
  const listed = (name: string) => {
    const all = process.env[name]?.split(',') ?? [];
    const own = all[number % Math.max(all.length, 1)];
    if (!own) throw new Error(`${name} names no server: see tests/README.md.`);
    return own;
  };
  return { url: listed('E2E_BASE_URL'), dataDir: listed('E2E_DATA_DIR') };
}
