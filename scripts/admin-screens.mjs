// The screens of the admin portal and their entry modules, as its routes import them.
import { readFile } from 'node:fs/promises';
import path from 'node:path';

const ROUTE =
  /createRoute\(\{(?:(?!createRoute)[\s\S])*?path: '(?<path>\/[a-z]*)'(?:(?!createRoute)[\s\S])*?import\('(?<module>[^']+)'\)/g;

/**
 * The first screen's address is `/admin/`; the route `/admin` is the portal around all of them.
 * @returns {Promise<{ address: string, file: string }[]>} files relative to web/
 */
export async function adminScreens(root) {
  const folder = 'portals/admin';
  const routes = await readFile(path.join(root, 'web', folder, 'routes.ts'), 'utf8');
  const found = [...routes.matchAll(ROUTE)].map(({ groups }) => ({
    address: groups.path.startsWith('/admin') ? groups.path : `/admin${groups.path}`,
    file: groups.module.startsWith('#web/')
      ? groups.module.slice('#web/'.length)
      : path.posix.join(folder, groups.module),
  }));
  if (found.length < 2) throw new Error('No screens found in the routes of the admin portal.');
  return found.filter(({ address }) => address !== '/admin');
}
