// Where a browser may be redirected to: the site, the configured list, or loopback addresses if the site is one itself.
// Anything else becomes the site.
import { isIP } from 'node:net';
import { isLoopback } from '../../../config.ts';
import type { Context } from '../../../context.ts';
import type { Call } from '../service.ts';
import { readQuery } from './parse.ts';

/** `*` stops at `.` and `/`, `**` does not, `?` is one character (Supabase docs "Redirect URLs"). */
function globToRegExp(glob: string): RegExp {
  const source = glob.replace(/\*\*|\*|\?|[^*?]+/g, (part) => {
    if (part === '**') return '.*';
    if (part === '*') return '[^./]*';
    if (part === '?') return '[^./]';
    return part.replace(/[\\^$.|+()[\]{}]/g, '\\$&');
  });
  return new RegExp(`^${source}$`);
}

function parsed(address: string): URL | undefined {
  return URL.canParse(address) ? new URL(address) : undefined;
}

/**
 * @param wanted address in the request
 * @param site the site's own address
 * @param allowed further addresses, as globs
 */
export function allowedRedirect(wanted: string, site: string, allowed: readonly string[]): string {
  const url = parsed(wanted);
  const home = parsed(site);
  if (url === undefined || home === undefined) return site;
  const isWeb = url.protocol === 'http:' || url.protocol === 'https:';
  const isHome =
    url.protocol === home.protocol &&
    url.hostname === home.hostname &&
    (url.port === home.port || isLoopback(home.hostname));
  const isThisMachine =
    isLoopback(home.hostname) &&
    isIP(url.hostname.replace(/[[\]]/g, '')) > 0 &&
    isLoopback(url.hostname);
  // No user info: http://site@elsewhere looks like the site.
  if (isWeb && url.username === '' && (isHome || isThisMachine)) return url.href;
  const bare = new URL(url);
  bare.hash = '';
  const isListed = allowed.some((glob) => {
    const pattern = globToRegExp(glob);
    return pattern.test(bare.href) || pattern.test(bare.href.replace(/\/$/, ''));
  });
  return isListed ? url.href : site;
}

export function readSiteUrl(context: Context): string {
  return context.settings.auth.site_url || context.siteUrl();
}

/** The request's redirect address if it is allowed, else the site. */
export function resolveRedirect(call: Call, given = ''): string {
  const { context, request } = call;
  const header = request.headers.redirect_to;
  const wanted =
    (typeof header === 'string' ? header : '') ||
    readQuery(call, 'redirect_to') ||
    given ||
    request.headers.referer ||
    '';
  const site = readSiteUrl(context);
  return allowedRedirect(wanted, site, context.settings.auth.additional_redirect_urls);
}
