import { describeSteps } from './steps.ts';
import { launchFirefox } from './support/firefox.ts';
import { serverOf } from './support/servers.ts';

describeSteps('Firefox', serverOf(1), () =>
  launchFirefox(process.env.FIREFOX_PATH ?? 'firefox-esr'),
);
