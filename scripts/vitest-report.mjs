// Vitest's JSON report with the errors that belong to no test, which Vitest leaves out of it.
import { JsonReporter } from 'vitest/node';

export default class Report extends JsonReporter {
  #unhandled = [];

  async onTestRunEnd(modules, errors) {
    this.#unhandled = errors.map((error) => ({
      type: error.type ?? error.name,
      message: error.message,
      stack: error.stack,
      during: error.VITEST_TEST_NAME,
      file: error.VITEST_TEST_PATH,
    }));
    await super.onTestRunEnd(modules);
  }

  async writeReport(report) {
    await super.writeReport(
      JSON.stringify({ ...JSON.parse(report), unhandledErrors: this.#unhandled }),
    );
  }
}
