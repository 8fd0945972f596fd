# The program of a page that plays a motion, as a string: what browsers run lies in a file of its own.
set(player ${PROJECT_SOURCE_DIR}/src/picture/motion/player.js)
file(READ ${player} DALEMBERT_PLAYER)
# Pages allow this script and no other.
string(SHA256 DALEMBERT_PLAYER_HASH "${DALEMBERT_PLAYER}")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${player})
set(DALEMBERT_PLAYER_TEXT ${CMAKE_CURRENT_BINARY_DIR}/picture/player_text.cpp)
configure_file(${PROJECT_SOURCE_DIR}/src/picture/motion/player_text.cpp.in ${DALEMBERT_PLAYER_TEXT} @ONLY)
