// The script in the app's page that asks at once for the files of the screen which its address names. Without it a
// browser learns of them one after another, each a round trip later, from files that it has to run first.
import { reachedFrom } from './file-graph.mjs';

/** What is opened at an address: its parts, as chunks.mjs names them, and the source of its screen. */
const SIGN_IN = ['sign-in'];
const STAFF = ['sign-in', 'backend', 'portal', 'staff'];
const ADMIN = ['sign-in', 'backend', 'portal', 'admin'];
/** What the public site loads when its form is used. */
const SITE = ['portals/site/hydrate-form.tsx', 'features/contact/submission.ts'];
const TRACKER = ['backend', 'portals/tracker/tracker.tsx'];

/** @returns {[address: string, parts: string[]][]} */
function addresses(chunks) {
  const screens = Object.keys(chunks).flatMap((key) => {
    const [, name] = /^portals\/admin\/(.+)-screen\.tsx$/.exec(key) ?? [];
    return name ? [[`/admin/${name}`, [...ADMIN, key]]] : [];
  });
  return [['/staff', STAFF], ['/admin', ADMIN], ['/deployments', TRACKER], ...screens];
}

/**
 * @param chunks Vite's manifest: source file, or name of a shared file, to what was built
 * @param {string[]} fonts files of the typefaces that every screen uses
 * @returns {string} the script; it must stand in the page itself
 */
export function firstFiles(chunks, fonts) {
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

  const table = addresses(chunks).map(([address, parts]) => [address, missing(parts)]);
  const files = [...new Set(table.flatMap(([, names]) => names))];
  const byAddress = Object.fromEntries(
    table.map(([address, names]) => [address, names.map((name) => files.indexOf(name))]),
  );
  const ask = (names, table, signIn, fonts) => {
    let isSignedIn = false;
    try {
      isSignedIn = Object.keys(localStorage).some((key) => /^sb-.+-auth-token$/.test(key));
    } catch {
      // Storage is blocked: nobody is signed in.
    }
    const path = location.pathname.replace(/\/+$/, '');
    const area = `/${path.split('/')[1]}`;
    const wanted = isSignedIn ? (table[path] ?? table[area] ?? []) : signIn;
    const request = (properties) =>
      document.head.append(Object.assign(document.createElement('link'), properties));
    for (const number of wanted) request({ rel: 'modulepreload', href: `/${names[number]}` });
    // On a first visit the code of the sign-in is more urgent than its typeface.
    if (!isSignedIn) return;
    for (const file of fonts) {
      request({ rel: 'preload', as: 'font', crossOrigin: '', href: `/${file}` });
    }
  };
  const signIn = missing(SIGN_IN).map((name) => files.indexOf(name));
  const settings = [files, byAddress, signIn, fonts];
  return `(${ask})(${settings.map((value) => JSON.stringify(value)).join(',')})`;
}
