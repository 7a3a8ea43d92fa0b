import { type ReactNode, useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { formatCount } from '#shared/count.ts';
import { OpenedRecord } from '#web/components/form/record-dialog.tsx';
import { RecordForm } from '#web/components/form/record-form.tsx';
import { ConfirmDialog } from '#web/components/ui/confirm-dialog.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import { previewPost, usePost, useRemovePost, useSavePost } from './api.ts';
import { LostShifts } from './lost-shifts.tsx';
import { PostFields } from './post-form.tsx';
import {
  type Outcome,
  type Post,
  type PostForm,
  postSchema,
  requirementPart,
  toForm,
} from './schema.ts';

const shifts = (count: number) => `${formatCount(count)} ${count === 1 ? 'shift' : 'shifts'}`;

/** @returns for example "84 shifts made, 35 removed"; undefined when nothing changed */
function summaryOf({ made, changed, removed }: Outcome): string | undefined {
  const parts = [
    ...(made > 0 ? [`${shifts(made)} made`] : []),
    ...(changed > 0 ? [`${shifts(changed)} changed`] : []),
    ...(removed > 0 ? [`${shifts(removed)} removed`] : []),
  ];
  return parts.join(', ') || undefined;
}

type EditorProps = {
  title: string;
  /** Undefined for a new post. */
  post: Post | undefined;
  defaults: PostForm;
  latest?: PostForm;
  submitLabel: string;
  onClose: () => void;
  children: (form: UseFormReturn<PostForm>) => ReactNode;
};

/** Saves at once if no future shift is lost; otherwise it shows first which. */
function PostEditor(props: EditorProps) {
  const { title, post, defaults, latest, submitLabel, onClose, children } = props;
  const save = useSavePost();
  const remove = useRemovePost();
  const [opened] = useState(defaults);
  const [asked, setAsked] = useState<{ form: PostForm; outcome: Outcome }>();

  const changeOf = (form: PostForm) => ({
    id: post?.id,
    form,
    withRequirement:
      post === undefined ||
      post.post_requirements.length === 0 ||
      JSON.stringify(requirementPart(form)) !== JSON.stringify(requirementPart(opened)),
  });
  async function store(form: PostForm) {
    const outcome = await save.mutateAsync(changeOf(form));
    const { post_id } = outcome;
    const undo = {
      label: 'Undo',
      onPress: () => {
        if (post_id === undefined) return;
        remove.mutateAsync(post_id).then(
          () => showSuccess('Post removed again'),
          (error: unknown) => showError('Error', describeError(error)),
        );
      },
    };
    if (post === undefined) showSuccess('Post added successfully', summaryOf(outcome), undo);
    else showSuccess('Post updated successfully', summaryOf(outcome));
    onClose();
  }
  async function saveOrAsk(form: PostForm) {
    const outcome = post && (await previewPost(changeOf(form)));
    if (outcome && outcome.removed > 0) setAsked({ form, outcome });
    else await store(form);
  }
  return (
    <Dialog open onOpenChange={onClose} title={title} className="sm:max-w-5xl">
      <RecordForm
        schema={postSchema}
        defaultValues={opened}
        latest={latest}
        submitLabel={submitLabel}
        save={saveOrAsk}
        onSaved={() => undefined}
        onCancel={onClose}
        stickyActions
      >
        {children}
      </RecordForm>
      {asked && post && (
        <ConfirmDialog
          title={`Remove ${shifts(asked.outcome.removed)}?`}
          question="This change removes future shifts."
          confirmLabel="Save and Remove"
          busyLabel="Saving..."
          cancelLabel="Keep Editing"
          onConfirm={() => store(asked.form)}
          onClose={() => setAsked(undefined)}
        >
          <LostShifts outcome={asked.outcome} zone={post.sites.timezone} />
        </ConfirmDialog>
      )}
    </Dialog>
  );
}

type PostDialogProps = {
  /** Id of the post, or "new". */
  open: string;
  listed: Post[] | undefined;
  /** For a new post. */
  siteId: string | undefined;
  onClose: () => void;
};

export function PostDialog({ open, listed, siteId, onClose }: PostDialogProps) {
  if (open !== 'new') return <ExistingPost id={open} listed={listed} onClose={onClose} />;
  return (
    <PostEditor
      title="Add Post"
      post={undefined}
      defaults={toForm(undefined, siteId)}
      submitLabel="Add Post"
      onClose={onClose}
    >
      {(form) => <PostFields form={form} post={undefined} />}
    </PostEditor>
  );
}

type ExistingPostProps = { id: string; listed: Post[] | undefined; onClose: () => void };

function ExistingPost({ id, listed, onClose }: ExistingPostProps) {
  const known = listed?.find((row) => row.id === id);
  return (
    <OpenedRecord
      query={usePost(id, known)}
      title="Edit Post"
      missing="This post no longer exists."
      onClose={onClose}
    >
      {(opened, now) => (
        <PostEditor
          title={`${opened.name}, ${opened.sites.name}`}
          post={opened}
          defaults={toForm(opened)}
          latest={toForm(now)}
          submitLabel="Save Changes"
          onClose={onClose}
        >
          {(form) => <PostFields form={form} post={opened} />}
        </PostEditor>
      )}
    </OpenedRecord>
  );
}
