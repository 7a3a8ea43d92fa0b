// Assigns modules to output chunks. By default the bundler makes one chunk for every combination of screens that share
// code: dozens, and each costs a round trip on a slow connection. Code for the first screens goes into a few chunks.
import path from 'node:path';
import { build } from 'vite';
import { adminScreens } from './admin-screens.mjs';
import { reachedFrom } from './file-graph.mjs';

/** Entry modules of each part of the app. A part contains their static imports, not their dynamic ones. */
const PARTS = {
  page: ['index.html'],
  site: [
    'portals/site/hydrate-form.tsx',
    'features/contact/submission.tsx',
    'features/contact/send-contact-message.ts',
  ],
  app: ['app.html'],
  backend: ['lib/supabase/client-library.ts'],
  signIn: ['portals/staff/staff-portal.tsx', 'portals/auth/auth-screen.tsx'],
  staff: ['portals/staff/staff-shell.tsx', 'portals/staff/home-screen.tsx'],
  staffLater: [
    'features/clock/clock-dialog.tsx',
    'features/incidents/guard/report-incident-dialog.tsx',
    'features/leave/guard/request-leave-dialog.tsx',
  ],
  admin: [
    'portals/full-app.tsx',
    'portals/admin/admin-portal.tsx',
    'features/deployments/deployment-list.tsx',
  ],
};

/** Modules shared by at least this many admin screens are loaded with the first of them. */
const MANY = 4;

const APP = ['app', 'signIn', 'staff', 'staffLater', 'admin'];

/** First match wins. `of(part)`: whether the part needs the module; `screens`: how many admin screens need it. */
const FILES = [
  // The landing page loads very little code.
  ['page', (of, screens) => of('page') && (APP.some(of) || screens > 0)],
  // Code of the public site must not share a chunk with the app's entry, which would start the app there.
  ['common', (of, screens) => of('site') && (APP.some(of) || screens > 0)],
  ['app', (of) => of('app')],
  ['backend', (of) => of('backend')],
  ['sign-in', (of) => of('signIn')],
  ['portal', (of) => of('admin') && (of('staff') || of('staffLater'))],
  ['staff', (of) => of('staff')],
  ['admin', (of) => of('admin')],
  ['forms', (of, screens) => of('staffLater') && screens > 0],
  ['screens', (_, screens) => screens >= MANY],
];

/** @returns the modules of these chunks and of all their imports */
function modulesOf(beginnings, chunks) {
  const byFile = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const first = beginnings.map((beginning) => {
    const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId === beginning);
    if (chunk === undefined)
      throw new Error(`${beginning} is not an entry point or a dynamic import.`);
    return chunk;
  });
  // External imports have no chunk.
  const reached = reachedFrom(first, ({ imports }) =>
    imports.map((file) => byFile.get(file)).filter((chunk) => chunk !== undefined),
  );
  return new Set([...reached].flatMap(({ moduleIds }) => moduleIds));
}

/**
 * Computes the groups from a dry build, because only tree-shaken output shows what is left of each library.
 * @param {string} root folder of the repository
 * @returns groups for the bundler's `codeSplitting`
 */
export async function chunkGroups(root) {
  const web = path.join(root, 'web');
  const { output } = await build({ logLevel: 'warn', build: { write: false, minify: false } });
  const chunks = output.filter(({ type }) => type === 'chunk');
  const needs = (files) =>
    modulesOf(
      files.map((file) => path.join(web, file)),
      chunks,
    );
  const parts = new Map(Object.entries(PARTS).map(([part, files]) => [part, needs(files)]));
  const screens = (await adminScreens(root)).map(({ file }) => needs([file]));

  const ids = new Set(chunks.flatMap(({ moduleIds }) => moduleIds));
  const fileOf = new Map(
    [...ids].map((id) => {
      const count = screens.filter((screen) => screen.has(id)).length;
      return [id, FILES.find(([, holds]) => holds((part) => parts.get(part).has(id), count))];
    }),
  );
  return FILES.map((file, index) => ({
    name: file[0],
    test: (id) => fileOf.get(id) === file,
    priority: FILES.length - index,
  }));
}
