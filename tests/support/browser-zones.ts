import { afterEach, beforeEach, describe } from 'vitest';

const ownZone = process.env.TZ;

/** Runs the tests once per time zone of the browser. */
export function describeInBrowserZones(tests: () => void): void {
  describe.each(['Africa/Monrovia', 'Asia/Tokyo', 'America/New_York'])(
    'in a browser in %s',
    (zone) => {
      beforeEach(() => {
        process.env.TZ = zone;
      });
      afterEach(() => {
        if (ownZone === undefined) delete process.env.TZ;
        else process.env.TZ = ownZone;
      });
      tests();
    },
  );
}
