// Assigns modules to output chunks. By default the bundler makes one chunk for every combination of screens that share
// code: dozens, and each costs a round trip on a slow connection. Code for the first screens goes into a few chunks.

import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** Entry modules of each part of the app. A part contains their static imports, not their dynamic ones. */
const PARTS = {
  page: ['index.html'],
  site: [
    'portals/site/hydrate-form.tsx',
    'features/clients/contact/submission.tsx',
    'features/clients/contact/send-contact-message.ts',
  ],
  app: ['app.html'],
  backend: ['lib/supabase/client-library.ts'],
  signIn: [
    'portals/staff/staff-portal.tsx',
    'portals/auth/auth-screen.tsx',
    'features/rights/auth/portal-sign-in.tsx',
  ],
  menu: ['components/layout/theme-choices.tsx'],
  dialogs: ['features/rights/auth/sign-out-question.tsx'],
  logout: ['lib/outbox/count-waiting.ts'],
  staff: [
    'portals/staff/staff-portal.tsx',
    'portals/staff/staff-shell.tsx',
    'portals/staff/home-screen.tsx',
  ],
  staffLater: [
    'features/clocking/clock/clock-dialog.tsx',
    'features/incidents/incidents/guard/report-incident-dialog.tsx',
    'features/leave/requests/guard/request-leave-dialog.tsx',
  ],
  guard: [
    'portals/staff/own-records.tsx',
    'portals/staff/own-wishes.tsx',
    'portals/staff/me-screen.tsx',
    'portals/staff/timesheet-screen.tsx',
    'features/incidents/incidents/guard/guard-incident-dialog.tsx',
  ],
  admin: [
    'portals/full-app.tsx',
    'portals/admin/admin-portal.tsx',
    'features/shifts/deployments/deployment-list.tsx',
    // The staff portal's shell contains it, too: without this line the office would load all of that.
    'features/notices/notices/notice-bell.tsx',
  ],
};

/** Modules shared by at least this many admin screens are loaded with the first of them. */
const MANY = 4;

/** Loaded by a first visit before it can sign in. */
const FIRST = ['app', 'signIn'];
const APP = [...FIRST, 'staff', 'staffLater', 'admin'];

/** First match wins. `of(part)`: whether the part needs the module; `screens`: how many admin screens need it. */
const FILES = [
  // The landing page loads very little code.
  ['page', (of, screens) => of('page') && (APP.some(of) || screens > 0)],
  // Code of the public site must not share a chunk with the app's entry, which would start the app there. Nor must the
  // sign-in, a menu or the office's first screen share one with what loads later: the client library, and Zod.
  ['common', (of) => (of('site') || of('backend')) && [...FIRST, 'dialogs', 'admin'].some(of)],
  ['schemas', (of, screens) => of('site') && (APP.some(of) || screens > 0)],
  ['app', (of) => of('app')],
  ['backend', (of) => of('backend')],
  // Also loaded by users with a session.
  ['session', (of) => (of('signIn') || of('menu')) && (of('staff') || of('admin'))],
  ['sign-in', (of) => of('signIn')],
  ['portal', (of) => of('logout') || (of('admin') && (of('staff') || of('staffLater')))],
  // Shared by the guards' home and screens of the office, which would otherwise load all of that home. Not with the
  // above: it imports Zod, which the office's first screen doesn't load.
  ['records', (of, screens) => of('staff') && screens > 0],
  // Loaded after the first paint.
  ['dialogs', (of) => of('dialogs')],
  ['staff', (of) => of('staff')],
  // Guards must not load the office for what their screens share with it.
  ['lists', (of) => (of('guard') || of('senders')) && of('admin')],
  ['senders', (of) => of('senders')],
  ['admin', (of) => of('admin')],
  ['forms', (of, screens) => of('staffLater') && screens > 0],
  ['screens', (_, screens) => screens >= MANY],
];

/** Everything that sends an entry is in one chunk: without a signal it can't be loaded any more. */
async function senders(root) {
  const kinds = await readFile(path.join(root, 'web/portals/staff/outbox-kinds.ts'), 'utf8');
  return [...kinds.matchAll(/import\(\s*'#web\/(?<module>[^']+)'\s*\)/g)].map(
    ({ groups }) => groups.module,
  );
}

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
 * @param {string} root folder of the repository
 * @param {object[]} output of a build without groups: only tree-shaken output shows what is left of each library
 * @returns groups for the bundler's `codeSplitting`
 */
export async function chunkGroups(root, output) {
  const web = path.join(root, 'web');
  const chunks = output.filter(({ type }) => type === 'chunk');
  const needs = (files) =>
    modulesOf(
      files.map((file) => path.join(web, file)),
      chunks,
    );
  const files = { ...PARTS, senders: await senders(root) };
  const parts = new Map(Object.entries(files).map(([part, own]) => [part, needs(own)]));
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

// The inline script that preloads the files of the screen the URL names. Without it the browser discovers them one
// after another, a round trip each, as it runs the files that import them.

/** By URL: the parts (names in FILES) and the source file of the screen. */
const SIGN_IN = ['session', 'sign-in'];
/** Loaded after the first screen where the page has requested its rows (web/portals/admin/early-requests.ts). */
const CLIENT = 'backend';
const STAFF = ['session', 'backend', 'portal', 'staff'];
const ADMIN = ['session', 'backend', 'portal', 'admin'];
/** Loaded when the public site's form is used. */
const SITE = ['portals/site/hydrate-form.tsx', 'features/clients/contact/submission.tsx'];
const TRACKER = ['backend', 'portals/tracker/tracker.tsx'];

/** Keys of the manifest are source files, or the names of shared chunks after an underscore. */
const isShared = (key) => key.startsWith('_');

/** @returns {[address: string, parts: string[]][]} */
function addresses(screens) {
  // ADMIN includes the first screen.
  const files = screens
    .filter(({ address }) => address !== '/admin/')
    .map(({ address, file }) => [address, [...ADMIN, file]]);
  return [['/staff', STAFF], ['/admin', ADMIN], ['/deployments', TRACKER], ...files];
}

/**
 * @param chunks Vite's manifest: source file or shared chunk name to build output
 * @param {string[]} fonts font files that every screen uses
 * @param {{ address: string, file: string }[]} screens of the admin portal that the page may open
 * @returns {string} the script, to be inlined in the page
 */
export function firstFiles(chunks, fonts, screens) {
  // By the whole name: there is a chunk portal-links beside the chunk portal.
  const keyOf = (part) =>
    chunks[part]
      ? part
      : Object.keys(chunks).find((key) => isShared(key) && chunks[key].name === part);
  const filesOf = (parts) => {
    const first = parts.map((part) => {
      const key = keyOf(part);
      if (key === undefined) throw new Error(`The build holds no ${part}.`);
      return key;
    });
    const reached = reachedFrom(first, (key) => chunks[key].imports ?? []);
    return [...reached].map((key) => chunks[key].file);
  };
  const inPage = new Set(filesOf(['app.html']));
  for (const part of SITE) {
    if (filesOf([part]).includes(chunks['app.html'].file)) {
      throw new Error(`${part} would start the app on the public site: see chunks.mjs.`);
    }
  }
  const missing = (parts) => filesOf(parts).filter((file) => !inPage.has(file));

  const table = addresses(screens).map(([address, parts]) => [address, missing(parts)]);
  const files = [...new Set(table.flatMap(([, names]) => names))];
  const byAddress = Object.fromEntries(
    table.map(([address, names]) => [address, names.map((name) => files.indexOf(name))]),
  );
  const ask = (names, entry, table, signIn, fonts, client) => {
    let isSignedIn = false;
    try {
      isSignedIn = Object.keys(localStorage).some((key) => /^sb-.+-auth-token$/.test(key));
    } catch {
      // Storage is blocked, so there is no session.
    }
    // See web/lib/render/static-form.ts and web/styles/app.css.
    const { documentElement: page } = document;
    const isLink = /[#&?](access_token|error|error_code|error_description|message)=/;
    if (isSignedIn || isLink.test(location.href)) page.classList.add('opens-elsewhere');
    // Not in every browser. Others load the fonts at once.
    const line = navigator.connection?.effectiveType ?? '4g';
    if (line !== '4g') page.classList.add('on-slow-line');
    document.addEventListener('click', (event) => {
      const button = event.target.closest('[data-static] button');
      if (!button) return;
      event.preventDefault();
      page.dataset.pressed = `${button.type} ${button.ariaLabel ?? button.textContent}`;
    });
    const path = location.pathname.replace(/\/+$/, '');
    const area = `/${path.split('/')[1]}`;
    const one = path.replace(/[^/]+$/, '$');
    const wanted = isSignedIn ? (table[path] ?? table[one] ?? table[area] ?? []) : signIn;
    const request = (properties) =>
      document.head.append(Object.assign(document.createElement('link'), properties));
    const askForFonts = () => {
      for (const file of fonts) {
        request({ rel: 'preload', as: 'font', crossOrigin: '', href: `/${file}` });
      }
    };
    // With the rows on their way, only the screen's code is urgent.
    const isEarly = globalThis.earlyAnswers !== undefined;
    const urgent = wanted.filter((number) => number !== client || !isEarly);
    let waiting = urgent.length;
    const came = () => {
      waiting -= 1;
      if (waiting > 0) return;
      askForFonts();
      request({ rel: 'modulepreload', href: `/${names[client]}` });
    };
    const events = isEarly ? { onload: came, onerror: came } : {};
    const askForScreen = () => {
      for (const number of urgent) {
        request({ rel: 'modulepreload', href: `/${names[number]}`, ...events });
      }
    };
    // All files share the line. The browser evaluates the app and its libraries while the screen's code is on it.
    const entryEvents = { onload: askForScreen, onerror: askForScreen };
    request({ rel: 'modulepreload', href: `/${entry}`, ...entryEvents });
    // On a first visit the sign-in code is more urgent than its font.
    if (isSignedIn && !isEarly) askForFonts();
  };
  const signIn = missing(SIGN_IN).map((name) => files.indexOf(name));
  const client = files.indexOf(chunks[keyOf(CLIENT)].file);
  const settings = [files, chunks['app.html'].file, byAddress, signIn, fonts, client];
  return `(${ask})(${settings.map((value) => JSON.stringify(value)).join(',')})`;
}

/** In the order of the source: a route's name, its path, and the import of its screen. */
const ROUTE_PARTS =
  /const (?<name>\w+) = |(?:(?:list|plain)\(\s*|path: )'(?<path>[^']*)'|import\(\s*'(?<module>[^']+\.tsx)'\s*\)/g;

/**
 * The first screen's address is `/admin/`. A parameter is `$`: `/admin/payruns/$`.
 * @returns {Promise<{ address: string, file: string }[]>} files relative to web/
 */
export async function adminScreens(root) {
  const folder = 'portals/admin/routes';
  const files = await readdir(path.join(root, 'web', folder));
  const found = [];
  for (const file of files.filter((name) => name.endsWith('-routes.ts'))) {
    const source = await readFile(path.join(root, 'web', folder, file), 'utf8');
    const paths = new Map();
    let route;
    for (const { groups } of source.matchAll(ROUTE_PARTS)) {
      route = groups.name ?? route;
      if (groups.path !== undefined) paths.set(route, groups.path);
      if (groups.module === undefined) continue;
      const own = paths.get(route);
      if (own === undefined) throw new Error(`${groups.module} is imported by no route.`);
      const screen = groups.module.startsWith('#web/')
        ? groups.module.slice('#web/'.length)
        : path.posix.join(folder, groups.module);
      found.push({ address: `/admin${own.replace(/\$\w+/g, '$')}`, file: screen });
    }
  }
  return found;
}

/**
 * @template Node
 * @param {Iterable<Node>} beginnings
 * @param {(node: Node) => Iterable<Node>} next the node's successors
 * @returns {Set<Node>} the start nodes and everything reachable, in depth-first order
 */
export function reachedFrom(beginnings, next) {
  const reached = new Set();
  const follow = (node) => {
    if (reached.has(node)) return;
    reached.add(node);
    for (const further of next(node)) follow(further);
  };
  for (const beginning of beginnings) follow(beginning);
  return reached;
}
