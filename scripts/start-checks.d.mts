export function readSettings(env: Record<string, string | undefined>): {
  port: number;
  host: string;
  dataDir: string;
  isEmbedded: boolean;
  isDemo: boolean;
};
export function requireSpace(
  needs: { folder: string; megabytes: number }[],
  readSpace?: (folder: string) => Promise<{ bavail: number; bsize: number }>,
): Promise<void>;
export function requireWritable(place: { dataDir: string; changesClone: boolean }): void;
