// The inline script that preloads the files of the screen the URL names. Without it the browser discovers them one
// after another, a round trip each, as it runs the files that import them.
import { reachedFrom } from './file-graph.mjs';

/** By URL: the parts (names from chunks.mjs) and the source file of the screen. */
const SIGN_IN = ['sign-in'];
const STAFF = ['sign-in', 'backend', 'portal', 'staff'];
const ADMIN = ['sign-in', 'backend', 'portal', 'admin'];
/** Loaded when the public site's form is used. */
const SITE = ['portals/site/hydrate-form.tsx', 'features/contact/submission.tsx'];
const TRACKER = ['backend', 'portals/tracker/tracker.tsx'];

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
 * @param {{ address: string, file: string }[]} screens of the admin portal
 * @returns {string} the script, to be inlined in the page
 */
export function firstFiles(chunks, fonts, screens) {
  const keyOf = (part) =>
    [part, ...Object.keys(chunks).filter((key) => key.startsWith(`_${part}-`))].find(
      (key) => chunks[key] !== undefined,
    );
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
  const ask = (names, table, signIn, fonts) => {
    let isSignedIn = false;
    try {
      isSignedIn = Object.keys(localStorage).some((key) => /^sb-.+-auth-token$/.test(key));
    } catch {
      // Storage is blocked, so there is no session.
    }
    const path = location.pathname.replace(/\/+$/, '');
    const area = `/${path.split('/')[1]}`;
    const wanted = isSignedIn ? (table[path] ?? table[area] ?? []) : signIn;
    const request = (properties) =>
      document.head.append(Object.assign(document.createElement('link'), properties));
    for (const number of wanted) request({ rel: 'modulepreload', href: `/${names[number]}` });
    // On a first visit the sign-in code is more urgent than its font.
    if (!isSignedIn) return;
    for (const file of fonts) {
      request({ rel: 'preload', as: 'font', crossOrigin: '', href: `/${file}` });
    }
  };
  const signIn = missing(SIGN_IN).map((name) => files.indexOf(name));
  const settings = [files, byAddress, signIn, fonts];
  return `(${ask})(${settings.map((value) => JSON.stringify(value)).join(',')})`;
}
