// A sign-in in progress at an identity provider: its request, and where the browser ends. Used once.
import type { Db } from '../database.ts';
import { refusals } from '../errors/catalogue.ts';

const LIFETIME_S = 300;

export interface RelayState {
  providerId: string;
  requestId: string;
  redirectTo: string;
  pkceFlow: string | null;
}

/** Stores the request, and deletes some abandoned ones. @returns the RelayState */
export async function rememberRequest(db: Db, state: RelayState): Promise<string> {
  const id = crypto.randomUUID();
  await db.query(
    `delete from auth.saml_relay_states where id in (
       select id from auth.saml_relay_states where created_at < now() - interval '15 minutes'
       order by created_at limit 50 for update skip locked)`,
  );
  await db.query(
    `insert into auth.saml_relay_states (id, sso_provider_id, request_id, redirect_to, flow_state_id)
     values ($1, $2, $3, $4, $5)`,
    [id, state.providerId, state.requestId, state.redirectTo, state.pkceFlow],
  );
  return id;
}

/** Consumes the state in any case. @throws AuthError if it is unknown, used or older than five minutes */
export async function takeRequest(db: Db, id: string): Promise<RelayState> {
  const { rows } = await db.query<RelayState & { isOld: boolean }>(
    `delete from auth.saml_relay_states where id = $1
     returning sso_provider_id as "providerId", request_id as "requestId", redirect_to as "redirectTo",
       flow_state_id as "pkceFlow", created_at < now() - make_interval(secs => $2) as "isOld"`,
    [id, LIFETIME_S],
  );
  const state = rows[0];
  if (state === undefined) throw refusals.unknownRelayState();
  if (state.isOld) throw refusals.oldRelayState();
  return state;
}
