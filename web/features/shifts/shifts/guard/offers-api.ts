import { useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import { OFFERS_KIND, OFFERS_STATUS } from '#shared/database.values.ts';
import { refetchEvery } from '#web/lib/cache/network-retry.ts';
import { PERSISTED } from '#web/lib/cache/query-client.ts';
import { guardOffersKey } from '#web/lib/data/keys.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import { type LiveRows, ownRows } from '#web/lib/realtime/live-tables.ts';
import { useLiveTable } from '#web/lib/realtime/use-live-table.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { supabase } from '#web/lib/supabase/client.ts';

/** A guard can't read the shifts of others, so their changes aren't sent. */
const OPEN_SHIFTS_MS = 60_000;

/** The user's own offers and shifts, and swaps that colleagues ask for. */
const liveOffers = (userId: string | undefined): LiveRows[] =>
  userId === undefined
    ? []
    : [
        ...ownRows(userId, 'offers', 'assignments'),
        { table: 'offers', filter: `partner_id=eq.${userId}` },
      ];

async function fetchOpenShifts() {
  const { data } = await supabase().rpc('open_shifts', undefined, { get: true }).throwOnError();
  return data;
}

export type OpenShift = Awaited<ReturnType<typeof fetchOpenShifts>>[number];

/** Shifts with a free seat that the user may lawfully take, the nearest site first. */
export function useOpenShifts() {
  const { user } = useAuth();
  useLiveTable(liveOffers(user?.id), guardOffersKey);
  return useQuery({
    queryKey: [...guardOffersKey, 'open', user?.id],
    queryFn: fetchOpenShifts,
    refetchInterval: refetchEvery(OPEN_SHIFTS_MS),
    meta: PERSISTED,
  });
}

const typedSchema = z.object({ kind: z.enum(OFFERS_KIND), status: z.enum(OFFERS_STATUS) });

async function fetchOwnOffers() {
  const { data } = await supabase().rpc('my_offers', undefined, { get: true }).throwOnError();
  // Offers of planners are answered on the first screen of the portal.
  return data
    .map((row) => ({ ...row, ...typedSchema.parse(row) }))
    .filter(({ kind }) => kind !== 'offer');
}

export type OwnOffer = Awaited<ReturnType<typeof fetchOwnOffers>>[number];

/** The user's bids and swaps, and swaps that colleagues ask for. */
export function useOwnOffers() {
  const { user } = useAuth();
  return useQuery({
    queryKey: [...guardOffersKey, 'own', user?.id],
    queryFn: fetchOwnOffers,
    meta: PERSISTED,
  });
}

async function bid(shiftId: string) {
  const { data } = await supabase().rpc('bid_for_shift', { p_shift_id: shiftId }).throwOnError();
  return data;
}

async function withdraw(offerId: string): Promise<void> {
  await supabase().rpc('withdraw_offer', { p_offer_id: offerId }).throwOnError();
}

async function answerSwap({ id, accepts }: { id: string; accepts: boolean }) {
  const { data } = await supabase()
    .rpc('answer_swap', { p_offer_id: id, p_accept: accepts })
    .throwOnError();
  return data;
}

export const useBid = () => useChange(guardOffersKey, bid);
export const useWithdraw = () => useChange(guardOffersKey, withdraw);
export const useAnswerSwap = () => useChange(guardOffersKey, answerSwap);

const returnsSchema = z.array(
  z.object({ id: z.uuid(), start_time: z.string(), end_time: z.string() }),
);

async function fetchSwapChoices(assignmentId: string) {
  const { data } = await supabase()
    .rpc('swap_choices', { p_assignment_id: assignmentId }, { get: true })
    .throwOnError();
  return data.map((row) => ({ ...row, returns: returnsSchema.parse(row.returns) }));
}

export const useSwapChoices = (assignmentId: string) =>
  useQuery({
    queryKey: [...guardOffersKey, 'choices', assignmentId],
    queryFn: () => fetchSwapChoices(assignmentId),
  });

export type SwapProposal = {
  assignmentId: string;
  partnerId: string;
  /** Empty if nothing is given in return. */
  returnId: string;
  note: string;
};

async function proposeSwap({ assignmentId, partnerId, returnId, note }: SwapProposal) {
  await supabase()
    .rpc('propose_swap', {
      p_assignment_id: assignmentId,
      p_partner_id: partnerId,
      ...(returnId !== '' && { p_partner_assignment_id: returnId }),
      ...(note !== '' && { p_note: note }),
    })
    .throwOnError();
}

export const useProposeSwap = () => useChange(guardOffersKey, proposeSwap);
