/* Tables that are looked up for one number of a pack after the other. */

DALEMBERT_RARE_FUNCTION
Number table_values_at(const TableView* table, int order, Number x) {
  for (int i = 0; i < DALEMBERT_PACK_WIDTH; ++i) x[i] = table_value_at(table, order, x[i]);
  return x;
}
