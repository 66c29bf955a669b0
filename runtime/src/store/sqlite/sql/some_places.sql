-- Run by the writer now and then, before clear_places.sql.
-- Promise: every place is looked at in its turn, a bounded number at a time.
SELECT place FROM open_actions WHERE place > ?1 ORDER BY place LIMIT ?2
