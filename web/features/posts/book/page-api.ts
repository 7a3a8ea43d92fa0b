// The page of a day for the site's client: as it would be, released and withdrawn.
import { postBookKey } from '#web/lib/data/keys.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { type PageDraft, readPageDraft } from '#web/lib/reports/post-page.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import type { GateNotice } from './gate-notice-pdf.ts';

const TABLES = [
  'post_entries',
  'visits',
  'key_movements',
  'handover_notes',
  'post_pages',
  'withheld_lines',
] as const;

export type PageOf = { siteId: string; day: string };
export type DraftLine = PageDraft['lines'][number];

async function fetchDraft({ siteId, day }: PageOf): Promise<PageDraft> {
  const { data } = await supabase()
    .rpc('page_draft', { p_site_id: siteId, p_day: day }, { get: true })
    .throwOnError();
  return readPageDraft(data);
}

export const usePageDraft = (page: PageOf) =>
  useLiveQuery(TABLES, postBookKey, {
    queryKey: [...postBookKey, 'page', page],
    queryFn: () => fetchDraft(page),
  });

type Withholding = PageOf & { line: DraftLine; isWithheld: boolean };

const withhold = async ({ siteId, day, line, isWithheld }: Withholding) =>
  void (await supabase()
    .rpc('withhold_line', {
      ...{ p_site_id: siteId, p_day: day, p_source: line.source, p_id: line.id },
      p_withheld: isWithheld,
    })
    .throwOnError());
const release = async ({ siteId, day, fingerprint }: PageOf & { fingerprint: string }) =>
  void (await supabase()
    .rpc('release_page', { p_site_id: siteId, p_day: day, p_fingerprint: fingerprint })
    .throwOnError());
const withdraw = async ({ id, reason }: { id: string; reason: string }) =>
  void (await supabase().rpc('withdraw_page', { p_page_id: id, p_reason: reason }).throwOnError());

export const useWithhold = () => useChange(postBookKey, withhold);
export const useRelease = () => useChange(postBookKey, release);
export const useWithdraw = () => useChange(postBookKey, withdraw);

/** What the notice for the gate says. */
async function fetchNotice(siteId: string): Promise<GateNotice> {
  const [site, rule] = await Promise.all([
    supabase()
      .from('sites')
      .select('name, client_name, visits_days, book_kinds_withheld')
      .eq('id', siteId)
      .single()
      .throwOnError(),
    supabase().from('retention_rules').select('days').eq('kind', 'visits').single().throwOnError(),
  ]);
  const { name, client_name: client, visits_days, book_kinds_withheld: withheld } = site.data;
  return {
    ...{ name, client, days: visits_days ?? rule.data.days },
    isListed: !withheld.includes('visitor'),
  };
}

export async function downloadGateNotice(siteId: string): Promise<void> {
  const [{ gateNoticePdf }, { withFonts }, { download }, notice] = await Promise.all([
    import('./gate-notice-pdf.ts'),
    import('#shared/documents/wide-font.ts'),
    import('#web/lib/files/download.ts'),
    fetchNotice(siteId),
  ]);
  const paper = await withFonts(() => gateNoticePdf(notice));
  download('notice-for-the-gate.pdf', paper.pdf.output('blob'));
}
