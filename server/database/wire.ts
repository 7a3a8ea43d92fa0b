// The part of pg's Connection that an exchange writes to; pg documents it as its extension point for queries.

export interface WireConnection {
  stream: { cork(): void; uncork(): void };
  parse(message: { name: string; text: string; types?: number[] }): void;
  bind(message: { portal: string; statement: string; values: (string | null)[] }): void;
  describe(message: { type: 'P'; name: string }): void;
  execute(message: { portal: string; rows: number }): void;
  close(message: { type: 'S'; name: string }): void;
  sync(): void;
}
