import { describeSteps } from './steps.ts';
import { serverOf } from './support/servers.ts';
import { launchWebKit } from './support/webkit.ts';

describeSteps('WebKit', serverOf(0), () =>
  launchWebKit(process.env.WEBKIT_DRIVER_PATH ?? 'WebKitWebDriver'),
);
