import { isRecord, isText } from '../session/read-json.ts';

const SIGN_UP_POLICIES = ['open', 'approval', 'closed'] as const;

/** Sent by the server at /app-config.json. */
export type AppConfig = {
  supabaseUrl: string;
  supabaseAnonKey: string;
  /** Who may create an account: everyone, everyone once approved, or invited people only. */
  signupPolicy: (typeof SIGN_UP_POLICIES)[number];
  isDemo: boolean;
  /** Its months of history were not complete when the page was opened. */
  isDemoFilling?: true;
  /** Background tiles of maps, if configured, and their attribution. */
  mapTiles?: { url: string; credit?: string };
};

function mapTilesOf(tiles: unknown): Pick<AppConfig, 'mapTiles'> {
  if (!isRecord(tiles) || !isText(tiles.url)) return {};
  return { mapTiles: { url: tiles.url, ...(isText(tiles.credit) && { credit: tiles.credit }) } };
}

/** @throws when the answer is no configuration, for example the page of a captive portal */
export function parseAppConfig(answer: unknown): AppConfig {
  if (isRecord(answer)) {
    const { supabaseUrl, supabaseAnonKey, mapTiles } = answer;
    const signupPolicy = SIGN_UP_POLICIES.find((policy) => policy === answer.signupPolicy);
    if (isText(supabaseUrl) && isText(supabaseAnonKey) && signupPolicy)
      return {
        supabaseUrl,
        supabaseAnonKey,
        signupPolicy,
        isDemo: answer.isDemo === true,
        ...(answer.isDemoFilling === true && { isDemoFilling: true }),
        ...mapTilesOf(mapTiles),
      };
  }
  throw new Error('The server sent an unreadable configuration.');
}
