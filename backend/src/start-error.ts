// A failure to start that the operator can fix: one plain sentence, no stack trace, exit code 1.

interface StartErrorOptions extends ErrorOptions {
  exitCode?: number;
}

export class StartError extends Error {
  override name = 'StartError';
  readonly exitCode: number;

  constructor(message: string, { exitCode = 1, ...options }: StartErrorOptions = {}) {
    super(message, options);
    this.exitCode = exitCode;
  }
}
