import { ConfirmDialog } from '#web/components/ui/confirm-dialog.tsx';
import { Loading } from '#web/components/ui/loading.tsx';
import { useRemovalPreview, useRemovePost } from './api.ts';
import { LostShifts } from './lost-shifts.tsx';
import type { Post } from './schema.ts';

export function RemovePostDialog({ post, onClose }: { post: Post; onClose: () => void }) {
  const { data: outcome } = useRemovalPreview(post.id);
  const remove = useRemovePost();
  return (
    <ConfirmDialog
      title="Delete Post"
      question={`Delete ${post.name} at ${post.sites.name}? Past shifts stay. To end a contract, set its last day instead.`}
      confirmLabel="Delete"
      busyLabel="Deleting..."
      success="Post deleted successfully"
      onConfirm={() => remove.mutateAsync(post.id)}
      onClose={onClose}
    >
      {outcome ? (
        outcome.removed > 0 ? (
          <>
            <p className="mb-3 font-semibold">{outcome.removed} future shifts are removed.</p>
            <LostShifts outcome={outcome} zone={post.sites.timezone} />
          </>
        ) : (
          'It has no future shifts.'
        )
      ) : (
        <Loading />
      )}
    </ConfirmDialog>
  );
}
