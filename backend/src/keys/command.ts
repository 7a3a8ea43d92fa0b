// `npm start -- keys`: prints the API keys; `keys rotate` and `keys retire <kid>` change the signing keys of a running server.
import type { Config } from '../config.ts';
import { StartError } from '../start-error.ts';
import { readKeys, retireKey, rotateKeys } from './key-files.ts';
import { openKeys } from './keys.ts';

function say(message: string): void {
  process.stdout.write(`${message}\n`);
}

/** @param words arguments after `keys`; @throws StartError */
export async function keysCommand(config: Config, [action, kid]: string[]): Promise<void> {
  if (action !== undefined && config.jwtKeys !== undefined) {
    throw new StartError(
      'The keys come from JWT_KEYS. Put the new key first in that list instead.',
    );
  }
  switch (action) {
    case undefined: {
      const keys = await openKeys(config);
      keys.close();
      say(`anon key:        ${keys.anonKey}\nservice key:     ${keys.serviceKey}`);
      say(`publishable key: ${keys.gateway.publishable}\nsecret key:      ${keys.gateway.secret}`);
      return;
    }
    case 'rotate':
      say(`Signing with key ${await rotateKeys(config.dataDir)} from now on. Older keys:`);
      for (const key of (await readKeys(config.dataDir)).slice(1)) say(`  ${key.kid}`);
      say(
        'They verify what they signed. A stolen one is refused after: npm start -- keys retire <key>',
      );
      return;
    case 'retire':
      if (kid === undefined) throw new StartError('Say which key: npm start -- keys retire <key>');
      await retireKey(config.dataDir, kid);
      say(`Key ${kid} is gone, and everything it signed is refused.`);
      return;
    default:
      throw new StartError(
        `There is no command "keys ${action}". Use: keys, keys rotate, keys retire <key>`,
      );
  }
}
