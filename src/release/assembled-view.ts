import { utf8Text } from '#platform';
import { standingWords } from '../inference/standing.js';
import { parseObject } from '../io/json.js';
import { statedRules } from '../tasks/taskset.js';
import type { AssembledRelease } from './assemble.js';
import { caseStudies } from './cases.js';
import { RELEASE_FILES } from './release-files.js';
import type { ReleaseSources } from './release-sources.js';
import { rosterRoutes } from './released-models.js';
import type { ReleaseView } from './view.js';

/** Gives the view of a release that is in memory, as `openRelease` would give it from the folder. */
export function viewOf(sources: ReleaseSources, assembled: AssembledRelease): ReleaseView {
  const start = RELEASE_FILES.analyses.length;
  return {
    kind: 'folder',
    digest: assembled.digest,
    address: null,
    benchmark: sources.title.benchmark,
    track: sources.title.track,
    claim: sources.title.claim,
    leaderboard: assembled.inference,
    plan: assembled.inference.plan,
    corePlan: sources.core?.document ?? null,
    tasks: sources.tasks,
    rules: statedRules(sources.files),
    matrix: assembled.matrix,
    routes: rosterRoutes(assembled.roster),
    analyses: new Map(
      assembled.analyses
        .filter(({ name }) => name.endsWith('.json'))
        .map(({ name, bytes }) => [name.slice(start, -'.json'.length), parseObject(utf8Text(bytes), { file: name })]),
    ),
    cases: caseStudies(assembled.cases),
    protocol: assembled.protocol,
    standing: assembled.standing && standingWords(assembled.standing),
  };
}
