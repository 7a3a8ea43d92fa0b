// The paths that the single-page app answers. The server gives any other path status 404.

const EXACT = ['/account', '/auth', '/auth/new-password', '/deployments'];
const PREFIXES = ['/staff', '/admin'];

/** @param pathname path of a URL, without query; a trailing slash makes no difference */
export function isAppPath(pathname: string): boolean {
  const path = pathname.replace(/\/+$/, '');
  return (
    EXACT.includes(path) ||
    PREFIXES.some((prefix) => path === prefix || path.startsWith(`${prefix}/`))
  );
}
