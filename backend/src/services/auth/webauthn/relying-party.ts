// The WebAuthn relying party: `[auth.webauthn]` of config.toml, else the site.
import { isIP } from 'node:net';
import type { Context } from '../../../context.ts';
import { siteOf } from '../input/redirect.ts';

export interface RelyingParty {
  /** Domain that credentials are bound to. */
  id: string;
  name: string;
  /** Origins of pages that may use them. */
  origins: string[];
}

export function relyingParty(context: Context): RelyingParty {
  const { rp_id: id, rp_display_name: name, rp_origins: origins } = context.settings.auth.webauthn;
  const site = new URL(siteOf(context));
  const host = site.hostname.replace(/[[\]]/g, '');
  // WebAuthn needs a domain: an IP address becomes localhost.
  const isLoopback = isIP(host) > 0;
  const named = new URL(site);
  if (isLoopback) named.hostname = 'localhost';
  return {
    id: id || named.hostname,
    name: name || context.application.organisation.shortName,
    origins: origins.length > 0 ? origins : [...new Set([site.origin, named.origin])],
  };
}
