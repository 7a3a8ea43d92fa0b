// A failure to start that the operator can fix: one plain sentence, no stack trace, exit code 1.

export class StartError extends Error {
  override name = 'StartError';
}
