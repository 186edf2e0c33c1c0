export function DeleteVariablesPage() {
  return null;
}
