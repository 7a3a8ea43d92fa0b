// Chromium for measurements, and in it a cheap phone on a slow connection.
import { chromium } from '@playwright/test';
import { ensureChromium } from '../scripts/chromium.mjs';

export const PHONE = { width: 360, height: 740 };
export const FLAGS = [
  '--no-sandbox',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * The browser is closed even when a measurement fails: an open one keeps the process alive.
 * @template T
 * @param {(browser: import('@playwright/test').Browser) => Promise<T>} work
 * @param {string[]} [flags] further ones
 * @returns {Promise<T>}
 */
export async function withBrowser(work, flags = []) {
  const executablePath = await ensureChromium();
  const browser = await chromium.launch({ executablePath, args: [...FLAGS, ...flags] });
  try {
    return await work(browser);
  } finally {
    await browser.close();
  }
}

/** Bits per second, round-trip milliseconds, CPU slowdown relative to this machine. */
export const LINES = {
  fast: { bits: 1_600_000, latency: 150, cpu: 4 },
  slow: { bits: 400_000, latency: 400, cpu: 4 },
};

/** @param session CDP session of the page, with the domain Network enabled */
export async function slowDown(session, { bits, latency, cpu }, offline = false) {
  const bytes = bits / 8;
  const line = { offline, latency, downloadThroughput: bytes, uploadThroughput: bytes };
  await session.send('Network.emulateNetworkConditions', line);
  // As Chromium classifies a line. Since version 150 an emulated one does not change what the page reads.
  const effectiveType = latency >= 272 ? '3g' : '4g';
  await session.send('Page.addScriptToEvaluateOnNewDocument', {
    source: `Object.defineProperty(navigator, 'connection', { configurable: true, value: { effectiveType: '${effectiveType}' } })`,
  });
  await session.send('Emulation.setCPUThrottlingRate', { rate: cpu });
}
