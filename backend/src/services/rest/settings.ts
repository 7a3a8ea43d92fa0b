// Settings from supabase/config.toml, overridden by PGRST_* variables, overridden by in-database configuration.
import { escapeIdentifier } from 'pg';
import type { Context } from '../../context.ts';
import type { SchemaCache } from './cache/model.ts';
import type { Limits } from './request/model.ts';

export interface RestSettings {
  /** Exposed schemas; the first is the default. */
  schemas: readonly string[];
  /** For a request to the given schema; may contain a name twice. */
  searchPath(schema: string): string[];
  maxRows: bigint | undefined;
  limits: Limits;
  /** Settings of a role, for the transactions of its requests. */
  ofRole(role: string): readonly [name: string, value: string][];
  /** The role of requests without a token; undefined rejects them. */
  anonymousRole: string | undefined;
  /** The audience of tokens that name one; undefined accepts every one. */
  audience: string | undefined;
  /** `app.settings.*` of the configuration, for functions to read. */
  appSettings: readonly [name: string, value: string][];
  /** Whether callers may request execution plans. */
  allowsPlans: boolean;
  allowsAggregates: boolean;
  /** Quoted name of a function to call before each request. */
  preRequest: string | undefined;
  /** Whether Node may write the rows of a read as JSON. */
  writesRows: boolean;
  /** Whether `Prefer: tx=rollback` is honoured. */
  allowsRollback: boolean;
  /** Whether requests are rolled back by default. */
  rollsBack: boolean;
}

const list = (text: string | undefined): string[] | undefined => {
  const names = text
    ?.split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  return names === undefined || names.length === 0 ? undefined : names;
};

/** @param text `schema.function` or a plain name */
function functionName(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  return text
    .split('.')
    .map((part) => escapeIdentifier(part.replace(/^"|"$/g, '')))
    .join('.');
}

export function exposedSchemas({ config, settings }: Context): readonly string[] {
  return list(config.pgrst.db_schemas) ?? settings.api.schemas;
}

const known = new WeakMap<SchemaCache, RestSettings>();

/** Cached per schema cache. */
export function restSettings(context: Context, cache: SchemaCache): RestSettings {
  const found = known.get(cache) ?? readSettings(context, cache);
  known.set(cache, found);
  return found;
}

/** A role's own settings, plus config.toml's statement timeout unless the role or the connection already has it. */
function roleSettings(
  timeouts: Readonly<Record<string, string>>,
  cache: SchemaCache,
): RestSettings['ofRole'] {
  const roles = new Map(cache.roleSettings);
  for (const [role, timeout] of Object.entries(timeouts)) {
    const own = roles.get(role) ?? [];
    if (timeout === cache.statementTimeout || own.some(([name]) => name === 'statement_timeout'))
      continue;
    roles.set(role, [...own, ['statement_timeout', timeout]]);
  }
  return (role) => roles.get(role) ?? [];
}

/** `PGRST_APP_SETTINGS_NAME`, or `pgrst.app_settings_name` in the database (PostgREST docs, "Configuration"). */
function appSettings(all: Readonly<Record<string, string>>): [string, string][] {
  const prefix = 'app_settings_';
  return Object.entries(all).flatMap(([name, value]): [string, string][] =>
    name.startsWith(prefix) && /^\w+$/.test(name)
      ? [[`app.settings.${name.slice(prefix.length)}`, value]]
      : [],
  );
}

function readSettings(context: Context, cache: SchemaCache): RestSettings {
  const { config, settings } = context;
  const option = (name: string): string | undefined => cache.settings[name] ?? config.pgrst[name];
  const extra = list(option('db_extra_search_path')) ?? settings.api.extra_search_path;
  const rows = option('db_max_rows') ?? String(settings.api.max_rows);
  const end = option('db_tx_end') ?? 'commit';
  const { api } = settings;
  const preRequest = functionName(option('db_pre_request'));
  return {
    limits: {
      embedDepth: api.max_embed_depth,
      embeds: api.max_embeds,
      logicDepth: api.max_logic_depth,
      jsonDepth: api.max_json_depth,
      patternLength: api.max_pattern_length,
      responseBytes: api.max_response_bytes,
    },
    ofRole: roleSettings(api.statement_timeout, cache),
    anonymousRole: (option('db_anon_role') ?? 'anon') || undefined,
    audience: option('jwt_aud') || undefined,
    appSettings: appSettings({ ...config.pgrst, ...cache.settings }),
    allowsPlans: option('db_plan_enabled') === 'true',
    schemas: exposedSchemas(context),
    searchPath: (schema) => [schema, ...extra],
    maxRows: /^\d+$/.test(rows) ? BigInt(rows) : undefined,
    allowsAggregates: option('db_aggregates_enabled') === 'true',
    preRequest,
    writesRows: cache.readsPlainly && preRequest === undefined,
    allowsRollback: end.endsWith('allow-override'),
    rollsBack: end.startsWith('rollback'),
  };
}
