// OpenID Connect discovery of providers: fetched on first use, cached for an hour, retried on network failures.
import { setTimeout as pause } from 'node:timers/promises';
import * as oidc from 'openid-client';
import type { ExternalProvider as Provider } from '../../../settings/external.ts';
import { errors } from '../errors.ts';

const LIFETIME_MS = 3_600_000;
/** After a failure the provider is not asked again for this long. */
const REST_MS = 3000;
const TRIES = 4;
const TIMEOUT_S = 5;
/** A user is waiting: no retry after a slow failure. */
const PATIENCE_MS = 4000;

interface Known {
  configuration: oidc.Configuration;
  fetchedAt: number;
}

export class Discovery {
  readonly #known = new Map<string, Known>();
  readonly #open = new Map<string, Promise<oidc.Configuration>>();
  readonly #failedAt = new Map<string, number>();

  /** @throws AuthError provider_unavailable if the provider can't be reached and nothing is cached */
  async of(provider: Provider): Promise<oidc.Configuration> {
    const { name } = provider;
    const last = this.#known.get(name);
    if (last !== undefined && Date.now() - last.fetchedAt < LIFETIME_MS) return last.configuration;
    const isResting = Date.now() - (this.#failedAt.get(name) ?? 0) < REST_MS;
    let cause: unknown;
    if (!isResting) {
      try {
        return await this.#refresh(provider);
      } catch (error) {
        cause = error;
      }
    }
    // Stale metadata is better than none: addresses and keys seldom change.
    if (last !== undefined) return last.configuration;
    throw errors.providerUnavailable(name, cause);
  }

  #refresh(provider: Provider): Promise<oidc.Configuration> {
    const { name } = provider;
    const fetched =
      this.#open.get(name) ??
      discover(provider)
        .then((configuration) => {
          this.#known.set(name, { configuration, fetchedAt: Date.now() });
          this.#failedAt.delete(name);
          return configuration;
        })
        .catch((error: unknown) => {
          this.#failedAt.set(name, Date.now());
          throw error;
        })
        .finally(() => this.#open.delete(name));
    this.#open.set(name, fetched);
    return fetched;
  }
}

/** Some issuers end with a slash; accept config.toml without it. */
const otherSpelling = (issuer: string): string =>
  issuer.endsWith('/') ? issuer.slice(0, -1) : `${issuer}/`;

const isOtherIssuer = (error: unknown): boolean =>
  error instanceof oidc.ClientError && error.code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED';

async function discover(provider: Provider): Promise<oidc.Configuration> {
  let { issuer } = provider;
  const startedAt = Date.now();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await oidc.discovery(
        new URL(issuer),
        provider.clientIds[0],
        undefined,
        clientAuthentication(provider.secret),
        {
          timeout: TIMEOUT_S,
          // Settings allow plain http for loopback only. Signatures are verified in addition to TLS.
          execute: [
            ...(provider.issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : []),
            oidc.enableNonRepudiationChecks,
          ],
        },
      );
    } catch (error) {
      if (isOtherIssuer(error) && issuer === provider.issuer) {
        issuer = otherSpelling(issuer);
        continue;
      }
      if (attempt >= TRIES || Date.now() - startedAt > PATIENCE_MS) throw error;
    }
    await pause(100 * 2 ** attempt);
  }
}

/** The first supported method; `client_secret_basic` if none is listed (RFC 8414 section 2). */
function clientAuthentication(secret: string): oidc.ClientAuth {
  if (secret === '') return oidc.None();
  const basic = oidc.ClientSecretBasic(secret);
  const post = oidc.ClientSecretPost(secret);
  return (server, client, body, headers) => {
    const supported = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const usesBasic = supported.includes('client_secret_basic');
    return (usesBasic ? basic : post)(server, client, body, headers);
  };
}
