import { useEffect } from 'preact/hooks';
import { simulatedModels, simulatedNotice } from '../../release/names.js';
import { differenceText } from '../../release/proofs/differences.js';
import type { Verification } from '../../release/proofs/verification.js';
import { counted } from '../../util/format.js';
import { plain } from '../../util/text.js';
import type { ViewProps } from './registry.js';

interface NoticesProps extends Pick<ViewProps, 'opened' | 'result'> {
  /** What `release report` found when it made the page; null where it was not asked, or something else was opened. */
  readonly verification: Verification | null;
}

/** What has to be known before anything else is read: that formulas answered, and whether the files bear each other out. */
export function Notices({ opened, result, verification }: NoticesProps) {
  const { release, kind } = opened;
  useEffect(() => {
    if (verification?.status === 'FAIL') document.title = 'VERIFICATION FAILED: flavourbench';
  }, [verification]);
  if (release === null || result === null) return null;
  const simulated = simulatedModels(release);
  const names = result.inference.models.filter(({ modelId }) => simulated.has(modelId)).map(({ name }) => name);
  const formulas = simulatedNotice({ models: release.leaderboard.models.length, names });
  return (
    <>
      {verification?.status === 'FAIL' && <Failed {...{ verification }} />}
      {formulas !== null && (
        <p class="notice">
          <b>{formulas}</b>
        </p>
      )}
      {kind === 'release' && verification?.status !== 'FAIL' && (
        <p class="muted">
          {verification === null
            ? 'Not verified when this page was made: the numbers are as the files state them.'
            : 'Verified when this page was made, by whoever made it: every file followed from the answers.'}
        </p>
      )}
    </>
  );
}

function Failed({ verification }: { readonly verification: Verification }) {
  const { difference_count: count, differences } = verification;
  const [first] = differences;
  return (
    <div class="alarm" role="alert">
      <p>
        <b>VERIFICATION FAILED</b>: {counted(count, 'difference')}. The files of this release do not bear each other
        out. Rely on nothing below, neither number nor figure.
      </p>
      {first && <p>First: {plain(differenceText(first))}.</p>}
      <p>No model is named best here.</p>
    </div>
  );
}
