// A sign-in in progress at a provider: started by a redirect, completed once by the callback, valid for five minutes.
import type { Db } from '../database.ts';
import type { Challenge } from '../tokens/pkce.ts';
import type { ProviderTokens } from '../tokens/provider-tokens.ts';

const LIFETIME_S = 300;

export interface NewFlow {
  /** The `state` parameter. */
  id: string;
  provider: string;
  /** GoTrue's name of the authentication method. */
  method: 'oauth' | 'sso/saml';
  redirectTo: string;
  /** Undefined for the implicit flow. */
  challenge?: Challenge | undefined;
  /** Account to link the identity to. */
  linkTo?: string | undefined;
  /** Our own PKCE verifier towards the provider. */
  nonce?: string | undefined;
  codeVerifier?: string | undefined;
}

export interface Flow {
  id: string;
  provider: string;
  redirectTo: string;
  isPkce: boolean;
  linkTo: string | null;
  nonce: string | null;
  codeVerifier: string | null;
}

/** Stores the flow, and deletes some abandoned ones. */
export async function beginProviderFlow(db: Db, flow: NewFlow): Promise<void> {
  await db.query(
    `delete from auth.flow_state where id in (
       select id from auth.flow_state
       where provider_type <> 'email' and created_at < now() - interval '15 minutes'
       order by created_at limit 50 for update skip locked)`,
  );
  await db.query(
    `insert into auth.flow_state (id, provider_type, authentication_method, code_challenge, code_challenge_method,
       referrer, linking_target_id, provider_nonce, provider_code_verifier, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, now(), now())`,
    [
      flow.id,
      flow.provider,
      flow.method,
      flow.challenge?.challenge ?? null,
      flow.challenge?.method ?? null,
      flow.redirectTo,
      flow.linkTo ?? null,
      flow.nonce ?? null,
      flow.codeVerifier ?? null,
    ],
  );
}

/**
 * Consumes the state: of two concurrent callbacks, one gets it.
 * @returns undefined for an unknown, used or expired state
 */
export async function takeFlow(db: Db, id: string): Promise<Flow | undefined> {
  const { rows } = await db.query<Flow>(
    `update auth.flow_state set state_used_at = now(), updated_at = now()
     where id = $1 and state_used_at is null and referrer is not null
       and created_at > now() - make_interval(secs => $2)
     returning id, provider_type as provider, referrer as "redirectTo", code_challenge is not null as "isPkce",
       linking_target_id as "linkTo", provider_nonce as nonce, provider_code_verifier as "codeVerifier"`,
    [id, LIFETIME_S],
  );
  return rows[0];
}

/** Completes a PKCE flow. @returns the code that the client exchanges for its session */
export async function issueProviderCode(
  db: Db,
  flowId: string,
  userId: string,
  tokens: ProviderTokens,
): Promise<string> {
  const code = crypto.randomUUID();
  await db.query(
    `update auth.flow_state set user_id = $2, auth_code = $3, auth_code_issued_at = now(), updated_at = now(),
       provider_access_token = $4, provider_refresh_token = $5, provider_nonce = null, provider_code_verifier = null
     where id = $1`,
    [flowId, userId, code, tokens.accessToken ?? null, tokens.refreshToken ?? null],
  );
  return code;
}
