// The small company of scene.ts in a database of its own.
import {
  cloneDatabase,
  createClone,
  poolOf,
  type TestDatabase,
} from 'supabase-in-node/testing/database';
import { inject } from 'vitest';
import { buildScene, type Scene } from './scene.ts';

export interface SceneDatabase {
  database: TestDatabase;
  scene: Scene;
}

interface Prepared {
  template: string;
  scene: Scene;
  at: number;
}

/** Rows of a scene are dated from when it was built. */
const OLDEST_MS = 120_000;
/** Days and hours begin at a multiple of this in every time zone. */
const QUARTER_HOUR_MS = 15 * 60_000;

// Files of a worker share modules, and building the scene takes ten times as long as cloning it.
let prepared: Prepared | undefined;

function isCurrent({ at }: Prepared): boolean {
  const now = Date.now();
  const isSameQuarter = Math.floor(at / QUARTER_HOUR_MS) === Math.floor(now / QUARTER_HOUR_MS);
  return isSameQuarter && now - at < OLDEST_MS;
}

async function prepare(): Promise<Prepared> {
  const at = Date.now();
  const connection = await createClone(inject('template'));
  const owner = poolOf(connection, 4);
  const scene = await buildScene(owner);
  await owner.end();
  return { template: connection.database, scene, at };
}

/** @returns a new database with the scene, dropped after the file's tests */
export async function sceneDatabase(): Promise<SceneDatabase> {
  if (prepared === undefined || !isCurrent(prepared)) prepared = await prepare();
  const { template, scene } = prepared;
  // Tests may change theirs.
  return { database: await cloneDatabase(template), scene: structuredClone(scene) };
}
