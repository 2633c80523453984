import { parseObject } from '../io/json.js';
import type { AssembledRelease, ReleaseSources } from './assemble.js';
import { Fields, type Json, readBoard } from './board.js';
import { RELEASE_FILES } from './layout.js';
import { type ReleaseView, readRoutes } from './release.js';
import { builtPlan } from './stated-plan.js';

/** The view of a release that is being built or proved, as `openRelease` would give it from the folder. */
export function viewOf(sources: ReleaseSources, assembled: AssembledRelease): ReleaseView {
  const json = (name: string) => JSON.parse(assembled.texts.get(name)!) as Json;
  const analysis = new Fields(RELEASE_FILES.inference, '', json(RELEASE_FILES.inference));
  const start = RELEASE_FILES.analyses.length;
  return {
    kind: 'folder',
    digest: assembled.digest,
    address: null,
    benchmark: sources.title.benchmark,
    track: sources.title.track,
    claim: sources.title.claim,
    board: readBoard(analysis.object('results')),
    plan: builtPlan(sources.plan),
    corePlan: sources.core?.document ?? null,
    tasks: sources.tasks,
    matrix: assembled.matrix,
    routes: readRoutes(json(RELEASE_FILES.roster), RELEASE_FILES.roster),
    analyses: new Map(
      sources.analyses
        .filter(({ name }) => name.endsWith('.json'))
        .map(({ name, bytes }) => [
          name.slice(start, -'.json'.length),
          parseObject(Buffer.from(bytes).toString('utf8'), { file: name }),
        ]),
    ),
    cases: json(RELEASE_FILES.cases),
  };
}
