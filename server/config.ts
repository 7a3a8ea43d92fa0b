// The only reader of the environment: parses it once into a typed Config (DESIGN.md, "Fixed points").
import path from 'node:path';
import { z } from 'zod';
import { StartError } from './start-error.ts';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/;

/** @param host name or address, without a port */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}

const optional = z
  .string()
  .trim()
  .transform((value) => (value === '' ? undefined : value))
  .optional();

const Environment = z.object({
  PORT: z.coerce.number().int().min(0).max(65535).default(3000),
  HOST: z.string().trim().min(1).default('127.0.0.1'),
  DATA_DIR: z.string().trim().min(1).default('./data'),
  DATABASE_URL: optional,
  SITE_URL: optional.pipe(z.url().optional()),
  DEMO: optional.pipe(z.enum(['on', 'off']).optional()),
  SIGNUP_POLICY: z.enum(['open', 'approval', 'closed']).default('open'),
  SMTP_URL: optional,
  MAIL_FROM: optional,
  MAIL: optional.pipe(z.enum(['smtp', 'outbox']).optional()),
  STORAGE_URL: optional,
  PROJECT_DIR: optional,
  JWT_SECRET: optional.pipe(z.string().min(32, 'must be at least 32 characters').optional()),
  JWT_KEYS: optional,
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('warn'),
  MAP_TILE_URL: optional.pipe(
    z
      .url({
        protocol: /^https?$/,
        error: 'must be an address such as https://tiles.example/{z}/{x}/{y}.png',
      })
      .refine((url) => ['{z}', '{x}', '{y}'].every((part) => url.includes(part)), {
        error: 'must hold {z}, {x} and {y}',
      })
      .optional(),
  ),
  MAP_TILE_CREDIT: optional,
  TRUST_PROXY: z.enum(['on', 'off']).default('off'),
});

export type Config = {
  port: number;
  host: string;
  /** Absolute path of database files, generated keys, stored objects and the mail outbox. */
  dataDir: string;
  /** An external PostgreSQL; undefined means the embedded one. */
  databaseUrl: string | undefined;
  /** Public address without a trailing slash; undefined means the listening address. */
  siteUrl: string | undefined;
  demo: boolean;
  signupPolicy: 'open' | 'approval' | 'closed';
  smtpUrl: string | undefined;
  mailFrom: string | undefined;
  storageUrl: string | undefined;
  /** Absolute path of the folder whose `supabase/` is served. */
  projectDir: string;
  /** Absolute path of the built web app. */
  webDir: string;
  jwtSecret: string | undefined;
  jwtKeys: string | undefined;
  logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'silent';
  /** Pictures of the ground under maps, and whom to name for them; undefined means none, and no other origin. */
  mapTiles: { url: string; credit: string | undefined } | undefined;
  /** Whether X-Forwarded-* of the peer is believed. Only behind a proxy that sets it. */
  trustProxy: boolean;
  /** PostgREST's own settings, `PGRST_DB_MAX_ROWS` as `db_max_rows`. */
  pgrst: Record<string, string>;
  /** The raw environment, for `env(NAME)` in config.toml. */
  env: Readonly<Record<string, string | undefined>>;
};

type Values = z.output<typeof Environment>;

const isPublic = (siteUrl: string | undefined): siteUrl is string =>
  siteUrl !== undefined && !isLoopback(new URL(siteUrl).hostname);

/** A reverse proxy on the same machine makes a loopback address public. @throws StartError */
function refusePublicDemo(values: Values, siteUrl: string | undefined): void {
  const reasons = [
    ...(isLoopback(values.HOST) ? [] : [`HOST=${values.HOST}`]),
    ...(isPublic(siteUrl) ? [`SITE_URL=${siteUrl}`] : []),
    ...(values.TRUST_PROXY === 'on' ? ['TRUST_PROXY=on'] : []),
  ];
  if (reasons.length === 0) return;
  const reason = reasons.join(' and ');
  throw new StartError(
    `${values.DEMO === 'on' ? 'DEMO=on' : 'The demo (on unless DEMO=off)'} creates accounts with a published password, so it only runs on a loopback address, not with ${reason}. Set DEMO=off, or start the demo without ${reason}.`,
  );
}

/** A public site must not leave mails, whose links sign people in, in a folder unless told to. @throws StartError */
function requireMailServer({ MAIL, SMTP_URL }: Values, siteUrl: string | undefined): void {
  if (SMTP_URL !== undefined || MAIL === 'outbox') return;
  if (MAIL === undefined && !(isPublic(siteUrl) && siteUrl.startsWith('https:'))) return;
  throw new StartError(
    `Mail needs a server with ${MAIL === undefined ? `SITE_URL=${siteUrl}` : `MAIL=${MAIL}`}. Set SMTP_URL, or MAIL=outbox to write each mail into DATA_DIR/outbox instead.`,
  );
}

/**
 * @param env the process environment
 * @param root absolute path of the repository
 * @throws StartError with a sentence that names the variable and what is wrong
 */
export function readConfig(env: Record<string, string | undefined>, root: string): Config {
  const parsed = Environment.safeParse(env);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new StartError(
      `The setting ${issue?.path.join('.')} is not usable: ${issue?.message}. Correct it and start again.`,
    );
  }
  const values = parsed.data;
  const projectDir = path.resolve(root, values.PROJECT_DIR ?? '.');
  const siteUrl = values.SITE_URL?.replace(/\/+$/, '');
  const isDemoWanted = (values.DEMO ?? (isLoopback(values.HOST) ? 'on' : 'off')) === 'on';
  // The demo company is data of our own application: another project served from PROJECT_DIR has no use for it.
  const demo = projectDir === root && isDemoWanted;
  if (demo || values.DEMO === 'on') refusePublicDemo(values, siteUrl);
  requireMailServer(values, siteUrl);
  const pgrst = Object.entries(env).flatMap(([name, value]) =>
    name.startsWith('PGRST_') && value !== undefined
      ? [[name.slice('PGRST_'.length).toLowerCase(), value] as const]
      : [],
  );
  return {
    port: values.PORT,
    host: values.HOST,
    dataDir: path.resolve(root, values.DATA_DIR),
    databaseUrl: values.DATABASE_URL,
    siteUrl,
    demo,
    signupPolicy: values.SIGNUP_POLICY,
    smtpUrl: values.MAIL === 'outbox' ? undefined : values.SMTP_URL,
    mailFrom: values.MAIL_FROM,
    storageUrl: values.STORAGE_URL,
    projectDir,
    webDir: path.join(root, 'dist', 'web'),
    jwtSecret: values.JWT_SECRET,
    jwtKeys: values.JWT_KEYS,
    logLevel: values.LOG_LEVEL,
    mapTiles: values.MAP_TILE_URL
      ? { url: values.MAP_TILE_URL, credit: values.MAP_TILE_CREDIT }
      : undefined,
    trustProxy: values.TRUST_PROXY === 'on',
    pgrst: Object.fromEntries(pgrst),
    env,
  };
}
