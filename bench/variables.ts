import { to as copyTo } from "pg-copy-streams";
import { rawData } from "#shared/rawData/rawData.ts";
import { variables } from "#shared/variables/variables.ts";
import { isChosen, measureEach, measureExport, startGenerated } from "./_generated.ts";

/**
 * Variables and their values with the generator's data (see _generated.ts): latency, and its ratio to the bare
 * statement, which reads a page of 25 values of the same variable by its index. `ONLY=raw` runs what has that in its
 * name.
 */
const generated = await startGenerated(["session_events", "audit_entries", "part_states"]);
const { pool, readRow, idOf } = generated;
/** The number with most values, the course of it, and a text with as many. */
const busiest = (key: string) =>
  readRow<{ id: string; courseId: string; values: number }>(`
    select v.variable_id as id, v.course_id as "courseId", count(*)::int as values from variable_values v
    join variables on variables.id = v.variable_id where variables.key = '${key}' group by 1, 2 order by 3 desc, 1 limit 1`);
const [rating, goal] = await Promise.all([busiest("self_rating"), busiest("goal")]);
const companyId = await idOf(
  `select company_id as id from variable_values where variable_id = '${rating.id}' group by 1 order by count(*) desc, 1 limit 1`,
);
const userId = await idOf(`select user_id as id from variable_values where variable_id = '${rating.id}' limit 1`);
const bare = () =>
  pool.query({
    name: "values",
    text: "select * from variable_values where variable_id = $1 order by id desc limit 25",
    values: [rating.id],
  });
const of = (contract: { path: string }, query = "") => contract.path.replace(":id", rating.id) + query;
const ofCourse = `?courseId=${rating.courseId}`;
const paths = {
  variables: variables.list.path,
  "variables, by -learners": `${variables.list.path}?sort=-learners`,
  "variables, search": `${variables.list.path}?q=rating`,
  "statistics of a number": of(variables.statistics),
  "statistics of a text": variables.statistics.path.replace(":id", goal.id),
  "statistics by company": of(variables.companies),
  "values per learner": of(variables.values),
  "values per learner, search": of(variables.values, "?q=lindholm"),
  "raw data": rawData.list.path,
  "raw data of a variable": `${rawData.list.path}?variableId=${rating.id}`,
  "raw data of a company and course": `${rawData.list.path}${ofCourse}&companyId=${companyId}`,
  "raw data of a learner": `${rawData.list.path}?userId=${userId}`,
  "raw data, search": `${rawData.list.path}?q=lindholm`,
  "raw data, deep page": `${rawData.list.path}?page=200`,
  "attempts of a course": `${rawData.attempts.path}${ofCourse}&variableIds=${rating.id},${goal.id}`,
  "attempts of a company": `${rawData.attempts.path}${ofCourse}&companyId=${companyId}&variableIds=${rating.id},${goal.id}`,
};
console.log(JSON.stringify({ valuesOfVariable: rating.values }));
await measureEach(generated, Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, { path, bare }])));

/** The columns of the CSV that `variable_values` has. */
const copyValues = async () => {
  const client = await pool.connect();
  const columns = "happened_at, user_id, company_id, course_id, variable_id, value, source, session_id";
  const copied = client.query(copyTo(`copy (select ${columns} from variable_values order by id) to stdout csv`));
  for await (const _ of copied);
  client.release();
};
if (isChosen("export"))
  console.log(
    JSON.stringify({
      export: "values, CSV",
      ...(await measureExport(generated, `${rawData.export.path}?format=csv`, copyValues)),
    }),
  );
await generated.stop();
