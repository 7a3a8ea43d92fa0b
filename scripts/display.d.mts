interface Display {
  say(message: string): void;
  progress(message: string, done?: number, total?: number): void;
  plan(labels: string[]): void;
  step<T>(
    label: string,
    work: (count: (done: number, total: number) => void) => Promise<T>,
  ): Promise<T>;
  fail(): void;
  finish(): string;
}

export function createDisplay(options?: {
  out?: { write(text: string): unknown; isTTY?: boolean };
  env?: Record<string, string | undefined>;
}): Display;
