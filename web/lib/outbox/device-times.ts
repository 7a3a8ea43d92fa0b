import { deviceNow } from '#web/lib/clock/server-now.ts';

/**
 * When it happened, with what the server corrects the device's clock by.
 * @param deviceAt ms since 1970, by the device's clock
 * @param offsetMs what the server's clock was ahead of it then; null if the device never knew
 */
export const deviceTimes = (deviceAt: number, offsetMs: number | null) => ({
  p_device_at: new Date(deviceAt).toISOString(),
  p_sent_at: new Date(deviceNow()).toISOString(),
  ...(offsetMs !== null && { p_server_offset_ms: Math.round(offsetMs) }),
});
