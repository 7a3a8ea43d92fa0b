import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { CONTRACT_POSTS_BASIS, CONTRACT_POSTS_VAT_TREATMENT } from '#shared/database.values.ts';
import { formatMoney } from '#shared/money.ts';
import { DeleteRecordDialog } from '#web/components/form/delete-dialog.tsx';
import { createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { EntryDialog } from '#web/components/form/record-dialog.tsx';
import { AMOUNT, actionsColumn, type Column } from '#web/components/list/columns.tsx';
import { DataTable } from '#web/components/list/data-table.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { EmptyNote } from '#web/components/ui/loaded.tsx';
import { Panel } from '#web/components/ui/panel.tsx';
import { SiteLink } from '#web/components/ui/place-links.tsx';
import { usePostOptions } from '#web/lib/data/lookups.ts';
import { formatPeriod } from '#web/lib/format/dates.ts';
import { VAT_TREATMENT_LABELS } from '#web/lib/vocabulary/kinds.ts';
import { toOptions } from '#web/lib/vocabulary/options.ts';
import { contractPosts, useClientSites } from './api.ts';
import {
  BASIS_LABELS,
  type Contract,
  type ContractPost,
  type PostForm,
  postSchema,
  toPostForm,
} from './schema.ts';

/** @returns the post, or how many of its site: "other" only where a contract names one of them */
const postOf = ({ posts, sites }: ContractPost): string =>
  posts?.name ??
  (sites.contract_posts.some(({ post_id }) => post_id !== null)
    ? 'Every other post'
    : 'Every post');

/** @returns for example "Main Gate, US Embassy" */
export const nameOfPost = (row: ContractPost): string => `${postOf(row)}, ${row.sites.name}`;

const columnsOf = ({ currency }: Contract): Column<ContractPost>[] => [
  {
    header: 'Post',
    card: 'title',
    className: 'font-semibold',
    cell: postOf,
  },
  { header: 'Site', cell: (row) => <SiteLink id={row.site_id} name={row.sites.name} /> },
  {
    header: 'Billed by',
    cell: ({ basis, vat_treatment }) =>
      vat_treatment === 'standard'
        ? BASIS_LABELS[basis]
        : `${BASIS_LABELS[basis]}. VAT: ${VAT_TREATMENT_LABELS[vat_treatment].toLowerCase()}`,
  },
  {
    header: 'Figure',
    className: AMOUNT,
    cell: ({ monthly_amount, minimum_hours }) =>
      (monthly_amount !== null && formatMoney(monthly_amount, currency)) ||
      (minimum_hours !== null && `${minimum_hours} h`) ||
      '-',
  },
  {
    header: 'Days',
    className: 'whitespace-nowrap',
    cell: (row) =>
      row.ends_on
        ? formatPeriod(row.starts_on, row.ends_on)
        : `From ${formatPeriod(row.starts_on, null)}`,
  },
];

type PostFieldsProps = { contract: Contract; form: UseFormReturn<PostForm> };

function PostFields({ contract, form }: PostFieldsProps) {
  const { data: sites = [] } = useClientSites(contract.client_id);
  const { data: posts = [] } = usePostOptions(form.watch('site_id'));
  const field = createFields(form);
  const basis = form.watch('basis');
  return (
    <FieldGrid>
      {field.select(
        'site_id',
        'Site',
        sites.map(({ id, name }) => [id, name]),
        {
          empty: 'Choose a site',
          isSearched: true,
          hint: `The sites of ${contract.clients.name}.`,
          register: { onChange: () => form.setValue('post_id', '') },
        },
      )}
      {field.select(
        'post_id',
        'Post',
        posts.map(({ id, name }) => [id, name]),
        { empty: 'Every post without a row of its own', isSearched: true },
      )}
      {field.select('basis', 'Billed by', toOptions(CONTRACT_POSTS_BASIS, BASIS_LABELS))}
      {basis === 'fixed' && field.amount('monthly_amount', `Amount a month (${contract.currency})`)}
      {basis === 'minimum' && field.amount('minimum_hours', 'Hours a month, at least')}
      {field.select(
        'vat_treatment',
        'VAT',
        toOptions(CONTRACT_POSTS_VAT_TREATMENT, VAT_TREATMENT_LABELS),
        {
          hint: 'While the company is registered. A client’s certificate comes first.',
        },
      )}
      {field.day('starts_on', 'From')}
      {field.day('ends_on', 'Until', { optional: true, hint: 'Last day, inclusive.' })}
    </FieldGrid>
  );
}

type PostDialogProps = { contract: Contract; post: ContractPost | undefined; onClose: () => void };

function PostDialog({ contract, post, onClose }: PostDialogProps) {
  const { mutateAsync } = contractPosts.useSave();
  return (
    <EntryDialog
      title={post ? 'Edit Post' : 'Add Post'}
      schema={postSchema}
      defaultValues={toPostForm(contract, post)}
      submitLabel={post ? 'Save' : 'Add Post'}
      success={post ? 'Post updated' : 'Post added'}
      failure="Post not saved"
      save={(form) => mutateAsync({ id: post?.id, form })}
      onClose={onClose}
    >
      {(form) => <PostFields contract={contract} form={form} />}
    </EntryDialog>
  );
}

type PostsPanelProps = { contract: Contract; posts: ContractPost[]; mayChange: boolean };

export function PostsPanel({ contract, posts, mayChange }: PostsPanelProps) {
  const [edited, setEdited] = useState<ContractPost | 'new'>();
  const [removing, setRemoving] = useState<ContractPost>();
  const actions = actionsColumn((row: ContractPost) => ({
    name: nameOfPost(row),
    onEdit: () => setEdited(row),
    onDelete: () => setRemoving(row),
  }));
  const columns = columnsOf(contract);
  return (
    <Panel title="Posts">
      {posts.length === 0 ? (
        <EmptyNote>No posts yet. Nothing is billed without them.</EmptyNote>
      ) : (
        <DataTable
          label="Posts"
          columns={mayChange ? [...columns, actions] : columns}
          rows={posts}
          rowId={({ id }) => id}
          room={48}
        />
      )}
      {mayChange && (
        <Button variant="secondary" className="mt-4" onClick={() => setEdited('new')}>
          <Plus aria-hidden="true" className="size-4.5" /> Add Post
        </Button>
      )}
      {edited && (
        <PostDialog
          contract={contract}
          post={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
        />
      )}
      {removing && (
        <DeleteRecordDialog
          records={contractPosts}
          id={removing.id}
          consequence={`${nameOfPost(removing)} is no longer billed by this contract, and rates of its own are lost.`}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </Panel>
  );
}
