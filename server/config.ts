// The application's own environment variables, in addition to the backend's.
import path from 'node:path';
import {
  type Config,
  isLoopback,
  isPublic,
  optional,
  parseEnvironment,
  readConfig as readBackendConfig,
  requireMailServer,
} from 'supabase-in-node/config';
import { type PlaceAddress, readPlace } from 'supabase-in-node/place-address';
import { StartError } from 'supabase-in-node/start-error';
import { z } from 'zod';

const Environment = z.object({
  DEMO: optional.pipe(z.enum(['on', 'off']).optional()),
  SIGNUP_POLICY: z.enum(['open', 'approval', 'closed']).default('open'),
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
  MESSAGES_SECRET: optional.pipe(z.string().min(32, 'must be at least 32 characters').optional()),
  MESSAGES_TWILIO_TOKEN: optional,
  BACKUP_PASSPHRASE: optional,
  BACKUP_DIR: optional,
  BACKUP_EVERY: z.coerce.number().min(0.01).max(8760).default(24),
  BACKUP_KEEP: z.coerce.number().int().min(1).max(10_000).default(14),
  BACKUP_WAL: z.enum(['on', 'off']).default('off'),
  PUSH_SERVICES: optional.pipe(
    z
      .string()
      .transform((list) => list.split(',').map((origin) => origin.trim()))
      .pipe(
        z.array(
          z.string().regex(/^https?:\/\/[a-z0-9.*:-]+$/, {
            error: 'must be origins such as https://push.example, separated by commas',
          }),
        ),
      )
      .optional(),
  ),
});

/** Backups that the server makes by itself. */
export interface BackupSettings {
  place: PlaceAddress;
  everyHours: number;
  /** How many of the newest archives stay. */
  keep: number;
  passphrase: string;
  /** Absolute path of the folder that gets all changes, for restores to any moment; undefined means that they are not saved. */
  walFolder: string | undefined;
}

export interface AppConfig extends Config {
  /** Absolute path of the repository. */
  rootDir: string;
  /** Absolute path of the built web app. */
  webDir: string;
  demo: boolean;
  signupPolicy: 'open' | 'approval' | 'closed';
  /** Origins of push services beside those of the known browsers, for example `https://push.example`. */
  pushServices: readonly string[];
  /** For guards' messages from a gateway, and from Twilio; undefined refuses them. */
  messages: { secret: string | undefined; twilioToken: string | undefined };
  /** For archives made by commands; undefined means that none can be made or read. */
  backupPassphrase: string | undefined;
  /** Undefined means that backups are made by commands only. */
  schedule: BackupSettings | undefined;
  /** Background images of maps and their attribution; undefined means none, and no other origin. */
  mapTiles: { url: string; credit: string | undefined } | undefined;
}

/** A reverse proxy on the same machine makes a loopback address public. @throws StartError */
function refusePublicDemo({ host, siteUrl, trustProxy }: Config, isExplicit: boolean): void {
  const reasons = [
    ...(isLoopback(host) ? [] : [`HOST=${host}`]),
    ...(isPublic(siteUrl) ? [`SITE_URL=${siteUrl}`] : []),
    ...(trustProxy ? ['TRUST_PROXY=on'] : []),
  ];
  if (reasons.length === 0) return;
  const reason = reasons.join(' and ');
  throw new StartError(
    `${isExplicit ? 'DEMO=on' : 'The demo (on unless DEMO=off)'} creates accounts with a published password, so it only runs on a loopback address, not with ${reason}. Set DEMO=off, or start the demo without ${reason}.`,
  );
}

/** @throws StartError without a passphrase: an archive must not be readable to a finder */
function scheduleOf(
  values: z.output<typeof Environment>,
  databaseUrl: string | undefined,
  root: string,
): BackupSettings | undefined {
  const { BACKUP_DIR, BACKUP_EVERY, BACKUP_KEEP, BACKUP_PASSPHRASE, BACKUP_WAL } = values;
  const savesWal = BACKUP_WAL === 'on';
  if (savesWal && databaseUrl !== undefined) {
    throw new StartError(
      'BACKUP_WAL=on works for the embedded PostgreSQL only. For the one at DATABASE_URL use its own backups to a point in time, and leave BACKUP_WAL out.',
    );
  }
  if (savesWal && BACKUP_DIR === undefined) {
    throw new StartError('BACKUP_WAL=on needs BACKUP_DIR, the folder that gets the changes.');
  }
  if (BACKUP_DIR === undefined) return undefined;
  if (BACKUP_PASSPHRASE === undefined) {
    throw new StartError(
      'BACKUP_DIR is set, but no BACKUP_PASSPHRASE, which encrypts the archives. Set it, and store it outside this machine.',
    );
  }
  const place = readPlace(BACKUP_DIR, 'BACKUP_DIR', root);
  const folder = 'folder' in place ? place.folder : undefined;
  if (savesWal && folder === undefined) {
    throw new StartError(
      'BACKUP_WAL=on saves changes in a folder only. Name a folder on another disk or machine in BACKUP_DIR, or leave BACKUP_WAL out and keep the bucket.',
    );
  }
  return {
    place,
    everyHours: BACKUP_EVERY,
    keep: BACKUP_KEEP,
    passphrase: BACKUP_PASSPHRASE,
    walFolder: savesWal ? folder : undefined,
  };
}

/**
 * @param env the process environment
 * @param root absolute path of the repository
 * @throws StartError with a sentence that names the variable and what is wrong
 */
export function readConfig(env: Record<string, string | undefined>, root: string): AppConfig {
  const backend = readBackendConfig(env, root);
  const values = parseEnvironment(Environment, env);
  const isDemoWanted = (values.DEMO ?? (isLoopback(backend.host) ? 'on' : 'off')) === 'on';
  // The demo data belongs to our own project, not to another one served from PROJECT_DIR.
  const demo = backend.projectDir === root && isDemoWanted;
  if (demo || values.DEMO === 'on') refusePublicDemo(backend, values.DEMO === 'on');
  requireMailServer(backend);
  return {
    ...backend,
    rootDir: root,
    webDir: path.join(root, 'dist', 'web'),
    demo,
    signupPolicy: values.SIGNUP_POLICY,
    pushServices: values.PUSH_SERVICES ?? [],
    messages: { secret: values.MESSAGES_SECRET, twilioToken: values.MESSAGES_TWILIO_TOKEN },
    backupPassphrase: values.BACKUP_PASSPHRASE,
    schedule: scheduleOf(values, backend.databaseUrl, root),
    mapTiles: values.MAP_TILE_URL
      ? { url: values.MAP_TILE_URL, credit: values.MAP_TILE_CREDIT }
      : undefined,
  };
}
