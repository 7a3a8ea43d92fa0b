import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';

const Package = z.object({ name: z.string(), version: z.string() });

/** @param rootDir absolute path of the repository; @returns what archives say about their program */
export async function readProduct(rootDir: string): Promise<z.infer<typeof Package>> {
  return Package.parse(JSON.parse(await readFile(path.join(rootDir, 'package.json'), 'utf8')));
}
