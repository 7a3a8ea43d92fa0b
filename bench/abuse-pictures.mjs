// How long other people's pictures take while one account asks for costly ones.
import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';

const COSTLY = 'width=2500&height=2500&format=avif';
const AT_ONCE = 12;

const PHASES = [
  { name: 'quiet', seconds: 5, attack: undefined },
  { name: `${AT_ONCE} AVIF of 2500 x 2500, again and again`, seconds: 15, attack: {} },
  {
    name: `${AT_ONCE} AVIF of 2500 x 2500, hanging up after 200 ms`,
    seconds: 15,
    attack: { hangUpMs: 200 },
  },
];

/** Grain, which encoders need longest for, in the size of a phone's photo. */
function photo() {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 };
  return sharp({
    create: { width: 4000, height: 3000, channels: 3, background: 'gray', noise },
  })
    .jpeg({ quality: 70 })
    .toBuffer();
}

/**
 * @param {{ url: string, apikey: string, admin: string, attacker: string, incident: string, paced: Function, expectOk: Function }} given
 *   tokens of two accounts that read the incident
 * @returns rows: attack, times of the others in milliseconds, answers to the attack
 */
export async function measurePictures({ url, apikey, admin, attacker, incident, paced, expectOk }) {
  const file = `evidence/${incident}/bench-${crypto.randomUUID()}.jpg`;
  const headersOf = (token) => ({ apikey, authorization: `Bearer ${token}` });
  const stored = await fetch(`${url}/storage/v1/object/${file}`, {
    method: 'POST',
    headers: { ...headersOf(admin), 'content-type': 'image/jpeg' },
    body: await photo(),
  });
  if (!stored.ok) throw new Error(`The photo was refused: ${await stored.text()}`);
  const render = async (token, query, signal) => {
    const answer = await fetch(`${url}/storage/v1/render/image/authenticated/${file}?${query}`, {
      headers: headersOf(token),
      signal,
    });
    const bytes = await answer.arrayBuffer();
    return { status: answer.status, text: answer.ok ? '' : Buffer.from(bytes).toString() };
  };
  const results = [];
  for (const { name, seconds, attack } of PHASES) {
    const ending = new AbortController();
    const answers = new Map();
    const loops = Array.from({ length: attack ? AT_ONCE : 0 }, async () => {
      while (!ending.signal.aborted) {
        const signals = [ending.signal];
        if (attack.hangUpMs) signals.push(AbortSignal.timeout(attack.hangUpMs));
        const { status } = await render(attacker, COSTLY, AbortSignal.any(signals)).catch(() => ({
          status: 'hung up',
        }));
        answers.set(status, (answers.get(status) ?? 0) + 1);
        await pause(20);
      }
    });
    const times = await paced(2, seconds, () => render(admin, 'width=96&height=96').then(expectOk));
    ending.abort();
    await Promise.all(loops);
    results.push({ name, times, answers });
  }
  return results;
}
