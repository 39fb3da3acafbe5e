# cmake -P: installs BUILD_DIR into a folder of its own, builds the example programs against that alone, and runs them.
cmake_minimum_required(VERSION 3.25)
foreach(name BUILD_DIR WORK_DIR EXAMPLES_DIR DATA GENERATOR CXX BUILD_TYPE)
  if(NOT DEFINED ${name})
    message(FATAL_ERROR "${name} is not given")
  endif()
endforeach()

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${ARGN}: ${code}\n${text}")
  endif()
  set(said "${text}" PARENT_SCOPE)
endfunction()

# Warnings that come from our headers are failures; so is a header that is not there.
function(build folder)
  run(${CMAKE_COMMAND} -G ${GENERATOR} -S ${EXAMPLES_DIR} -B ${folder} -DCMAKE_PREFIX_PATH=${WORK_DIR}/prefix
      -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_BUILD_TYPE=${BUILD_TYPE} "-DCMAKE_CXX_FLAGS=${CXX_FLAGS}" -DCMAKE_NO_SYSTEM_FROM_IMPORTED=ON
      ${ARGN})
  run(${CMAKE_COMMAND} --build ${folder})
  if(said MATCHES "include/ppdnmf/[^\n]*warning")
    message(FATAL_ERROR "a warning from an installed header:\n${said}")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK_DIR})
file(MAKE_DIRECTORY ${WORK_DIR})
run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${WORK_DIR}/prefix)
run(${WORK_DIR}/prefix/bin/ppdnmf --version)

# No installed header includes one that is not.
file(GLOB_RECURSE headers RELATIVE ${WORK_DIR}/prefix/include ${WORK_DIR}/prefix/include/*.h)
foreach(header ${headers})
  file(STRINGS ${WORK_DIR}/prefix/include/${header} lines REGEX "^#include <ppdnmf/")
  foreach(line ${lines})
    string(REGEX REPLACE "^#include <(.*)>.*" "\\1" included "${line}")
    if(NOT included IN_LIST headers)
      message(FATAL_ERROR "${header} includes ${included}, which is not installed")
    endif()
  endforeach()
endforeach()

# The cipher alone, on a machine that has none of what other rooms need.
build(${WORK_DIR}/crypto -DONLY_CRYPTO=ON -DCMAKE_DISABLE_FIND_PACKAGE_Eigen3=ON -DCMAKE_DISABLE_FIND_PACKAGE_ZLIB=ON
      -DCMAKE_DISABLE_FIND_PACKAGE_nlohmann_json=ON -DCMAKE_DISABLE_FIND_PACKAGE_gRPC=ON)
run(${WORK_DIR}/crypto/add_encrypted)

build(${WORK_DIR}/all)
run(${WORK_DIR}/all/add_encrypted)
run(${WORK_DIR}/all/two_agents)
if(NOT said MATCHES "the same X to the bit: yes")
  message(FATAL_ERROR "${said}")
endif()
run(${WORK_DIR}/all/factorize ${DATA} 2 ${WORK_DIR}/X.npy)
if(NOT EXISTS ${WORK_DIR}/X.npy)
  message(FATAL_ERROR "the example wrote no X")
endif()
