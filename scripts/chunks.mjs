// Which built file a module goes into. Left alone, the bundler makes a file of every set of screens that share
// something: dozens, and on a slow line each costs a round trip. What the first screens need goes into a few instead.
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'vite';
import { reachedFrom } from './file-graph.mjs';

/** The modules at which the parts of the app begin. What a part holds is what they need, without what is loaded later. */
const PARTS = {
  page: ['index.html'],
  site: [
    'portals/site/hydrate-form.tsx',
    'features/contact/submission.ts',
    'features/contact/api/send-contact-message.ts',
  ],
  app: ['app.html'],
  backend: ['lib/client-library.ts'],
  signIn: ['portals/staff/staff-portal.tsx', 'portals/auth/auth-screen.tsx'],
  staff: ['portals/staff/staff-shell.tsx', 'portals/staff/home-screen.tsx'],
  staffLater: [
    'features/clock/clock-dialog.tsx',
    'features/incidents/report/report-incident-dialog.tsx',
    'features/leave/request/request-leave-dialog.tsx',
  ],
  admin: [
    'portals/full-app.tsx',
    'portals/admin/admin-portal.tsx',
    'portals/admin/deployments-screen.tsx',
  ],
};

/** A module that so many screens of the admin portal need is worth loading with the first of them. */
const MANY = 4;

const APP = ['app', 'signIn', 'staff', 'staffLater', 'admin'];

/** The first that holds decides. `of(part)` says whether a part needs the module, `screens` how many admin screens do. */
const FILES = [
  // The public page itself loads hardly any code.
  ['page', (of, screens) => of('page') && (APP.some(of) || screens > 0)],
  // Nothing of the public site may lie in a file of the app: that would start the app there.
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

/** @returns the modules of these chunks and of all that they import */
function modulesOf(beginnings, chunks) {
  const byFile = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const first = beginnings.map((beginning) => {
    const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId === beginning);
    if (chunk === undefined) throw new Error(`${beginning} is not loaded by itself.`);
    return chunk;
  });
  // What is imported from outside the build is no chunk of it.
  const reached = reachedFrom(first, ({ imports }) =>
    imports.map((file) => byFile.get(file)).filter((chunk) => chunk !== undefined),
  );
  return new Set([...reached].flatMap(({ moduleIds }) => moduleIds));
}

/**
 * Builds the app once without writing it, as only that shows what is left of each library, and divides it.
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
  const screens = (await readdir(path.join(web, 'portals', 'admin')))
    .filter((file) => file.endsWith('-screen.tsx'))
    .map((file) => needs([`portals/admin/${file}`]));

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
