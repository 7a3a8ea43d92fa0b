// Installs Debian's packages, in a container or on CI where we may.
import { existsSync, readFileSync } from 'node:fs';
import { run, step } from './setup.mjs';

/** @returns {Promise<boolean>} false where this is no Debian, or we are not root. @throws {Error} if Debian's servers can't be reached */
export async function installPackages(label, names) {
  const release = '/etc/os-release';
  const isDebian = existsSync(release) && /^ID=debian$/m.test(readFileSync(release, 'utf8'));
  if (!isDebian || process.getuid?.() !== 0) return false;
  const apt = (...args) =>
    run('apt-get', ['-o', 'Acquire::Retries=0', '-o', 'Acquire::http::Timeout=20', ...args], {
      env: { DEBIAN_FRONTEND: 'noninteractive' },
    });
  await step(`Installing Debian's ${label}`, async () => {
    await apt('update');
    await apt('install', '-y', '--no-install-recommends', ...names);
  });
  return true;
}
