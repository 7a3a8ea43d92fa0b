import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { PACKAGES } from './start-sizes.mjs';

const ROOT = path.resolve(import.meta.dirname, '..');

interface Entry {
  dev?: boolean;
  devOptional?: boolean;
  link?: boolean;
}

/** Of whole blocks, as they are on the disk. */
function bytesOf(folder: string): number {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const place = path.join(folder, entry.name);
    // Packages inside have entries of their own.
    if (entry.isDirectory()) return entry.name === 'node_modules' ? sum : sum + bytesOf(place);
    return entry.isFile() ? sum + statSync(place).blocks * 512 : sum;
  }, 0);
}

test('the size of the packages for running, which a first start says', () => {
  const file = path.join(ROOT, 'node_modules', '.package-lock.json');
  const { packages }: { packages: Record<string, Entry> } = JSON.parse(readFileSync(file, 'utf8'));
  const bytes = Object.entries(packages)
    .filter(([, { dev, devOptional, link }]) => !(dev || devOptional || link))
    .reduce((sum, [name]) => sum + bytesOf(path.join(ROOT, name)), 0);
  expect(Math.abs(bytes / 1e6 - PACKAGES.disk) / PACKAGES.disk).toBeLessThan(0.15);
});
