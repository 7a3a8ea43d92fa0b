// Reads `supabase/config.toml`. Keys are the Supabase CLI's unless marked.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse, TomlError } from 'smol-toml';
import { z } from 'zod';
import type { Config } from '../config.ts';
import { StartError } from '../start-error.ts';
import { ExternalProviders } from './external.ts';
import { EdgeRuntime, Functions } from './functions.ts';
import { section } from './section.ts';
import { RelyingPartySettings, SecondFactors, SmsHook, SmsSettings, seconds } from './sms.ts';
import { StorageSettings } from './storage.ts';

/** As PostgreSQL writes it; 0 for no limit. */
const timeout = z.string().regex(/^\d+ ?(ms|s|min)?$/);

const Settings = z.object({
  api: section({
    schemas: z.array(z.string()).default(['public']),
    extra_search_path: z.array(z.string()).default(['public', 'extensions']),
    max_rows: z.number().int().positive().default(1000),
    /** Bytes of a body. */
    max_body_bytes: z
      .number()
      .int()
      .positive()
      .default(1024 * 1024),
    /** Levels of embedding, total embeds, levels of nested and/or, levels of JSON in a body. */
    max_embed_depth: z.number().int().min(0).max(64).default(16),
    max_embeds: z.number().int().min(0).max(1000).default(100),
    max_logic_depth: z.number().int().min(0).max(500).default(32),
    max_json_depth: z.number().int().positive().max(1000).default(500),
    /** Characters of a regular expression or a text search in a filter. */
    max_pattern_length: z.number().int().positive().default(200),
    /** Bytes of a response of the data service, before compression. */
    max_response_bytes: z
      .number()
      .int()
      .positive()
      .default(32 * 1024 * 1024),
    /** Connections used at once by one account, or by one network for anonymous callers; defaults to half. */
    max_connections_per_user: z.number().int().positive().optional(),
    /** Queued queries of one account. */
    max_waiting_per_user: z.number().int().positive().default(200),
    /** Statement timeout by role, unless the role has its own. */
    statement_timeout: section({
      anon: timeout.default('3s'),
      authenticated: timeout.default('8s'),
      service_role: timeout.default('8s'),
    }),
  }),
  auth: section({
    enabled: z.boolean().default(true),
    site_url: z.string().optional(),
    additional_redirect_urls: z.array(z.string()).default([]),
    /** Seconds. */
    jwt_expiry: z.number().int().positive().default(3600),
    enable_signup: z.boolean().default(true),
    enable_anonymous_sign_ins: z.boolean().default(false),
    /** Whether signed-in users may link a provider. */
    enable_manual_linking: z.boolean().default(false),
    external: ExternalProviders,
    /** SAML 2.0; identity providers are added with the service key. */
    saml: section({
      enabled: z.boolean().default(false),
      /** Whether to accept IdP-initiated sign-ins. */
      allow_idp_initiated: z.boolean().default(false),
    }),
    enable_refresh_token_rotation: z.boolean().default(true),
    /** Seconds. */
    refresh_token_reuse_interval: z.number().int().min(0).default(10),
    minimum_password_length: z.number().int().min(6).default(6),
    /** Whether to refuse the 10,000 most common passwords. Not a CLI key. */
    password_common_list: z.boolean().default(false),
    rate_limit: section({
      /** Sign-ups and sign-ins from one address in 5 minutes. */
      sign_in_sign_ups: z.number().int().positive().default(150),
      /** Refreshes from one address in 5 minutes. */
      token_refresh: z.number().int().positive().default(1800),
      /** Attempts with codes and links from one address in 5 minutes. */
      token_verifications: z.number().int().positive().default(30),
      /** Mails to one address in an hour. */
      email_sent: z.number().int().positive().default(30),
      /** Wrong passwords on one account from one network, within `wrong_passwords_window` seconds. */
      wrong_passwords: z.number().int().positive().default(10),
      /** The same from all networks together from which the account was not used in 90 days. */
      wrong_passwords_total: z.number().int().positive().default(100),
      wrong_passwords_window: z.number().int().positive().default(900),
    }),
    sessions: section({
      /** Maximum seconds of a session; 0 for no limit. */
      timebox: seconds.default(0),
      /** Maximum seconds without a refresh; 0 for no limit. */
      inactivity_timeout: seconds.default(0),
      /** Whether a sign-in ends the user's other sessions. GoTrue's, not a CLI key. */
      single_per_user: z.boolean().default(false),
    }),
    security: section({
      /** Whether a new password needs the current one. GoTrue's, not a CLI key. */
      update_password_require_current_password: z.boolean().default(false),
    }),
    /** Days to keep the audit log; forever unless set. Not a CLI key. */
    audit_log: section({ keep_days: z.number().int().positive().optional() }),
    mfa: SecondFactors,
    /** Whether users may sign in with passkeys. */
    passkey: section({ enabled: z.boolean().default(false) }),
    webauthn: RelyingPartySettings,
    sms: SmsSettings,
    hook: section({ send_sms: SmsHook }),
    email: section({
      enable_signup: z.boolean().default(true),
      enable_confirmations: z.boolean().default(false),
      /** Whether the old address must confirm a change too. */
      double_confirm_changes: z.boolean().default(true),
      /** Whether a password change needs a mailed code if the sign-in is older than a day. */
      secure_password_change: z.boolean().default(false),
      /** Seconds between two mails of a type to one address. */
      max_frequency: seconds.default(1),
      otp_length: z.number().int().min(6).max(10).default(6),
      /** Seconds. */
      otp_expiry: z.number().int().positive().default(3600),
    }),
  }),
  functions: Functions,
  edge_runtime: EdgeRuntime,
  storage: StorageSettings,
});

export type Settings = z.infer<typeof Settings>;

/** Replaces `env(NAME)` in every string of a parsed TOML tree. */
function substitute(node: unknown, env: Readonly<Record<string, string | undefined>>): unknown {
  if (typeof node === 'string') {
    const name = /^env\((\w+)\)$/.exec(node)?.[1];
    return name === undefined ? node : (env[name] ?? '');
  }
  if (Array.isArray(node)) return node.map((item) => substitute(item, env));
  if (node !== null && typeof node === 'object' && !(node instanceof Date)) {
    return Object.fromEntries(
      Object.entries(node).map(([key, value]) => [key, substitute(value, env)]),
    );
  }
  return node;
}

/**
 * @param projectDir folder that holds `supabase/`; a project without config.toml gets the defaults
 * @param schema of the part that is wanted
 * @throws StartError when the file is not valid TOML or a value has the wrong type
 */
export async function readConfigToml<Schema extends z.ZodType>(
  projectDir: string,
  env: Readonly<Record<string, string | undefined>>,
  schema: Schema,
): Promise<z.output<Schema>> {
  const file = path.join(projectDir, 'supabase', 'config.toml');
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw new StartError(`${file} can't be read (${error.code}). Give this account access to it.`);
  });
  try {
    return schema.parse(substitute(parse(text), env));
  } catch (error) {
    if (error instanceof TomlError) {
      throw new StartError(`supabase/config.toml is not valid TOML: ${error.message}`);
    }
    if (error instanceof z.ZodError) {
      const issue = error.issues[0];
      throw new StartError(
        `supabase/config.toml: ${issue?.path.join('.')} is not usable (${issue?.message}).`,
      );
    }
    throw error;
  }
}

export function readSettings({
  projectDir,
  env,
}: Pick<Config, 'projectDir' | 'env'>): Promise<Settings> {
  return readConfigToml(projectDir, env, Settings);
}
