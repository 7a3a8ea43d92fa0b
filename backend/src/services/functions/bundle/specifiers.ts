// Maps Deno's specifiers (`npm:`, `jsr:`, CDN URLs that tutorials use) to packages in node_modules.

export type Target =
  /** A package, including a path inside it. */
  | { kind: 'package'; name: string }
  /** Types only. */
  | { kind: 'nothing' }
  /** `serve` of Deno's old standard library. */
  | { kind: 'serve' }
  | { kind: 'unknown'; reason: string };

const PACKAGE = /^\/?((?:@[^/@]+\/)?[^/@]+)(?:@[^/]+)?(\/.*)?$/;
const CDN = /^https:\/\/(?:esm\.sh|cdn\.skypack\.dev|cdn\.jsdelivr\.net\/npm|unpkg\.com)\//;
const OLD_SERVE = /^https:\/\/deno\.land\/std(?:@[^/]+)?\/http\/(?:server|mod)\.ts$/;

function packageOf(text: string): Target {
  const [, name, rest = ''] = PACKAGE.exec(text.split('?')[0] ?? '') ?? [];
  if (name === undefined) return { kind: 'unknown', reason: `"${text}" is not a package name` };
  const inside = rest === '/' || rest === '/+esm' ? '' : rest;
  return { kind: 'package', name: `${name}${inside}` };
}

/** @returns undefined for a specifier that Node can resolve */
export function targetOf(specifier: string): Target | undefined {
  if (specifier.startsWith('npm:')) return packageOf(specifier.slice(4));
  if (specifier.startsWith('jsr:')) {
    return /^jsr:\/?@supabase\/functions-js(@|\/|$)/.test(specifier)
      ? { kind: 'nothing' }
      : packageOf(specifier.slice(4));
  }
  if (!/^https?:/.test(specifier)) return undefined;
  if (OLD_SERVE.test(specifier)) return { kind: 'serve' };
  if (CDN.test(specifier)) return packageOf(specifier.replace(CDN, '').replace(/^v\d+\//, ''));
  if (specifier.endsWith('.d.ts')) return { kind: 'nothing' };
  return { kind: 'unknown', reason: `can't import from ${specifier}: use npm: instead` };
}
