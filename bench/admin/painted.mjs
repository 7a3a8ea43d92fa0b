/**
 * In the page: `whenPainted(isShown, done)` calls back with the time (`performance.now()`) at which the browser has painted the
 * first picture for which `isShown` holds. It looks when the document changes, not in every frame, which would take a slow phone
 * longer than what is measured. A task of the highest priority runs next after the frame, before the effects of React.
 */
export function watchPaint() {
  globalThis.whenPainted = (isShown, done) => {
    const look = () => {
      if (!isShown()) return;
      changes.disconnect();
      const report = () => done(performance.now());
      requestAnimationFrame(() =>
        globalThis.scheduler.postTask(report, { priority: 'user-blocking' }),
      );
    };
    const changes = new MutationObserver(look);
    changes.observe(document, {
      subtree: true,
      childList: true,
      attributeFilter: ['class', 'data-status', 'hidden', 'style'],
    });
  };
}
